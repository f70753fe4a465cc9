package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.cli.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerfStatTest {
  /** As perf 6.1 writes it, with the numbers of a machine that counts everything. */
  private static final String COUNTED =
      """
      # started on Wed Nov 25 13:17:11 2026

      3000000000;;instructions:u;865388;100.00;1.50;insn per cycle
      2000000000;;cycles:u;865388;100.00;;
      6000000;;LLC-load-misses:u;865388;60.00;;
      800;;context-switches;865388;100.00;;
      40;;cpu-migrations;865388;100.00;;
      """;

  @TempDir Path folder;

  @Test
  void countsBecomeRatios() throws IOException {
    Path file = Files.writeString(folder.resolve("perf"), COUNTED);
    assertThat(PerfStat.measures(file, 4))
        .isEqualTo(
            Map.of(
                "instructionsPerCycle", 1.5,
                "cacheMissesPerThousandInstructions", 2.0,
                "switchesPerSecond", 200.0,
                "migrationsPerSecond", 10.0));
  }

  /** As perf 6.1 wrote it in a virtual machine without counters. */
  @Test
  void whatAMachineDoesNotCountIsAbsent() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("perf"),
            """
            <not supported>;;instructions:u;0;100.00;;
            <not supported>;;cycles:u;0;100.00;;
            <not counted>;;LLC-load-misses;0;0.00;;
            2;;context-switches;865388;100.00;;
            """);
    assertThat(PerfStat.measures(file, 1)).isEqualTo(Map.of("switchesPerSecond", 2.0));
  }

  /** A run without a single switch does not exist, but one without migrations does. */
  @Test
  void zeroSwitchesAreNotBelieved() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("perf"),
            "0;;context-switches:u;1;100.00;;\n0;;cpu-migrations:u;1;100.00;;\n");
    assertThat(PerfStat.measures(file, 1)).isEmpty();
    Files.writeString(file, "9;;context-switches;1;100.00;;\n0;;cpu-migrations;1;100.00;;\n");
    assertThat(PerfStat.measures(file, 1))
        .isEqualTo(Map.of("switchesPerSecond", 9.0, "migrationsPerSecond", 0.0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ";;;", "-1;;cycles;1", "9999999999999999999;;cycles;1", "1;;"})
  void nonsenseIsNotCounted(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("perf"), text);
    assertThat(PerfStat.measures(file, 1)).isEmpty();
    assertThat(PerfStat.measures(folder.resolve("none"), 1)).isEmpty();
  }

  @Test
  void aMachineThatCountsAPartSaysWhatItDoesNot() throws IOException {
    PerfStat perf =
        perf("printf '2;;context-switches;1;100.00;;\\n5;;cycles:u;1;100;;\\n' > \"$7\"");
    assertThat(perf.probe(folder.resolve("counts")))
        .isEqualTo(List.of("instructions", "LLC-load-misses", "cpu-migrations"));
  }

  @Test
  void aMachineThatCountsNothingIsAnError() throws IOException {
    PerfStat perf = perf("echo 'Error: No permission to enable events.' >&2; exit 255");
    assertThatThrownBy(() -> perf.probe(folder.resolve("counts")))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "--counters: perf counts nothing here: Error: No permission to enable events.; with sysctl kernel.perf_event_paranoid=2 or less it counts without root, or leave --counters out");
  }

  @Test
  void aPerfThatDoesNotEndOrSaysTooMuchIsAnErrorInTime() throws IOException {
    perf("while :; do echo Error; done");
    PerfStat endless = new PerfStat(folder.resolve("perf.sh").toString(), Duration.ofMillis(300));
    assertThatThrownBy(() -> endless.probe(folder.resolve("counts")))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("--counters: perf counts nothing here; with sysctl");
    perf("exec sleep 60");
    PerfStat silent = new PerfStat(folder.resolve("perf.sh").toString(), Duration.ofMillis(300));
    assertThatThrownBy(() -> silent.probe(folder.resolve("counts")))
        .isInstanceOf(InputException.class);
  }

  @Test
  void withoutPerfTheErrorNamesThePackage() {
    assertThatThrownBy(
            () ->
                new PerfStat(folder.resolve("no-perf").toString()).probe(folder.resolve("counts")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("install it (Debian: linux-perf, Ubuntu: linux-tools-generic");
  }

  /** A program that is called as perf is. */
  private PerfStat perf(String script) throws IOException {
    Path program = Files.writeString(folder.resolve("perf.sh"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new PerfStat(program.toString());
  }
}
