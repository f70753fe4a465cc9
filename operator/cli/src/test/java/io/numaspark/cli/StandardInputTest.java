package io.numaspark.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.fixture.GoldenFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What a newcomer does first: numaspark topology | numaspark plan. */
class StandardInputTest {
  private static final Path EXPECTED = Path.of("src/test/resources/plan/expected");
  private static final Path CAPTURED = Path.of("src/test/resources/topology/expected");

  @TempDir private Path folder;

  /** Topologies as a machine prints them whose kubelet nobody has configured. */
  @ParameterizedTest
  @CsvSource({"no-kubelet", "default-kubelet"})
  void aMachineThatNobodyHasConfiguredIsPlanned(String kubelet) throws IOException {
    String topology =
        Files.readString(Path.of("src/test/resources/plan/topology.yaml"))
            .replaceFirst(
                "(?s)  kubelet:.*",
                kubelet.equals("no-kubelet") ? "" : "  kubelet: {cpuManagerPolicy: none}\n");
    Cli cli = piped(topology, "plan");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.err()).isEqualTo("numaspark: " + DefaultProfile.NOTE + "\n");
    assertThat(cli.out()).contains("\nWHAT IF ", "pinned by the runtime", "agent.pinner.enabled");
    GoldenFile.hold(EXPECTED.resolve("piped.txt"), cli.out());
    Cli doctor = piped(topology, "doctor");
    assertThat(doctor.exitCode()).isZero();
    assertThat(doctor.out()).startsWith("Info PinnedByRuntime: ").contains("0 errors");
  }

  @Test
  void everyCapturedMachineIsPlanned() throws IOException {
    try (var files = Files.list(CAPTURED)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).toList()) {
        Cli cli = piped(Files.readString(file), "plan");
        assertThat(cli.exitCode()).as("%s: %s%s", file, cli.out(), cli.err()).isLessThan(2);
        assertThat(cli.out()).as(file.toString()).contains("WHAT IF");
      }
    }
  }

  @Test
  void anEmptyPipeIsNamed() {
    Cli.assertRefused(piped("", "plan"), "no SparkNodeTopology in the files; add one with -f");
  }

  @ParameterizedTest
  @CsvSource({"/dev/pts/3, true", "/dev/tty1, true", "pipe:[1234], false", "/dev/null, false"})
  void aTerminalIsNotReadFrom(String target, boolean terminal) throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("0"), Path.of(target));
    CommandLine.Model.CommandSpec plan =
        Main.commandLine().getSubcommands().get("plan").getCommandSpec();
    if (terminal) {
      assertThatThrownBy(() -> StandardInput.unlessNamed(null, plan, link))
          .isInstanceOf(CommandLine.ParameterException.class)
          .hasMessageContaining("numaspark topology | numaspark plan");
    } else {
      assertThat(StandardInput.unlessNamed(null, plan, link)).containsExactly("-");
    }
    assertThat(StandardInput.unlessNamed(List.of("a"), plan, link)).containsExactly("a");
  }

  private static Cli piped(String text, String command) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(text.getBytes(UTF_8)));
    try {
      // Surefire's own standard input may be a terminal.
      return Cli.run(command, "-f", "-");
    } finally {
      System.setIn(before);
    }
  }
}
