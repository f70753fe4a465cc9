package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the script that stands in for java. */
class JavaWrapperTest {
  private static final CoreShares MACHINE = StudyTest.setting(2, 2, 1, 4096, true).shares();

  /** With a quote, which a shell must not read. */
  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.ALWAYS)
  private Path folder;

  @Test
  void anExecutorIsBoundAndNotesItsProcess() throws Exception {
    // With three task slots and its half of four CPUs.
    LocalArm arm = LocalArm.baseline("free", "", 2, 3).jvm("-XX:NewRatio=1");
    Path home = write(arm, List.of());
    assertThat(run(home, "-cp", "a b", "Backend", "--executor-id", "3", "--cores", "1"))
        .isEqualTo(
            "-XX:ActiveProcessorCount=2|-XX:NewRatio=1|-cp|a b|Backend|--executor-id|3|--cores|1|");
    assertThat(Files.readString(JavaWrapper.pids(odd()).resolve("3")).strip()).matches("\\d+");
  }

  @Test
  void theDriverAndWorkersAreLeftAlone() throws Exception {
    Path home = write(LocalArm.baseline("free", "", 2, 3), List.of());
    assertThat(run(home, "-version")).isEqualTo("-version|");
    assertThat(run(home, "x", "--executor-id", "; touch pwned"))
        .isEqualTo("x|--executor-id|; touch pwned|");
    assertThat(JavaWrapper.pids(odd())).isEmptyDirectory();
  }

  @Test
  void programsBindToPlacesInTurn() throws Exception {
    List<CoreShare> shares = MACHINE.of(2).orElseThrow();
    LocalArm arm = LocalArm.baseline("free", "", 2, 2);
    String cpus = script(write(arm.bound(Binding.CPUS), shares));
    assertThat(cpus)
        .contains("0) exec taskset --cpu-list 0-1 ")
        .contains("1) exec taskset --cpu-list 2-3 ");
    assertThat(script(write(arm.bound(Binding.CPUS_AND_MEMORY), shares)))
        .contains("1) exec numactl --physcpubind=2-3 --membind=1 ");
    assertThat(script(write(arm.bound(Binding.REMOTE_MEMORY), shares)))
        .contains("1) exec numactl --physcpubind=2-3 --membind=0 ");
  }

  private Path odd() throws IOException {
    return Files.createDirectories(folder.resolve("it's a run"));
  }

  private Path write(LocalArm arm, List<CoreShare> shares) throws IOException {
    Path java = odd().resolve("real java");
    Files.writeString(java, "#!/bin/sh\nprintf '%s|' \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return JavaWrapper.write(odd(), java, arm, shares, MACHINE);
  }

  private static String script(Path home) throws IOException {
    return Files.readString(home.resolve("bin/java"));
  }

  private static String run(Path home, String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of(home.resolve("bin/java").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    return output;
  }
}
