package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
  @TempDir private Path folder;

  @Test
  void equalResultsHaveEqualChecksums() throws IOException {
    assertThat(log("INFO a\ntrial-result: 1a\nINFO b").resultChecksum())
        .isEqualTo(log("trial-result: 1a").resultChecksum())
        .isNotEqualTo(log("trial-result: 1b").resultChecksum());
    assertThat(log("nothing of the kind").resultChecksum()).isEmpty();
    assertThat(new RunLog(folder.resolve("missing")).resultChecksum()).isEmpty();
  }

  @Test
  void showsTheLastErrorRatherThanTheLastLine() throws IOException {
    assertThat(
            log("""
                    Error: Failed to load class a.B.
                    \tat org.example.SomeException(File.java)
                    INFO ShutdownHookManager: Shutdown hook called
                    """)
                .lastWords())
        .contains("Error: Failed to load class a.B");
    assertThat(log("one\ntwo\n").lastWords()).contains("two");
    assertThat(log("").lastWords()).isEmpty();
    assertThat(log("Error " + "x".repeat(1000)).lastWords().orElseThrow()).hasSize(303);
  }

  /** What an application prints goes to the user's terminal. */
  @Test
  void showsNothingThatATerminalObeys() throws IOException {
    assertThat(log("Error \u001b]0;owned\u0007 \u202etxt").lastWords())
        .contains("Error \ufffd]0;owned\ufffd \ufffdtxt");
  }

  @Test
  void readsTheEndOfALongLog() throws IOException {
    assertThat(log("x".repeat(3 << 20) + "\ntrial-result: 7\n").resultChecksum()).isPresent();
  }

  private RunLog log(String text) throws IOException {
    Path file = Files.createTempFile(folder, "run", ".log");
    Files.writeString(file, text);
    return new RunLog(file);
  }
}
