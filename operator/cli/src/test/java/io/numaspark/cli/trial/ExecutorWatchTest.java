package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorWatchTest {
  private static final String STAT =
      "%d (java) S 1 1 1 0 -1 0 0 0 0 0 %d %d 0 0 20 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

  @TempDir private Path proc;
  @TempDir private Path pids;

  private void process(int pid, int user, int system) throws IOException {
    Files.writeString(
        Files.createDirectories(proc.resolve(Integer.toString(pid))).resolve("stat"),
        STAT.formatted(pid, user, system));
  }

  /** A driver may end before its executors, and does not wait for them then. */
  @Test
  void theTimeOfExecutorsThatOutliveTheirDriverIsKnown() throws IOException {
    process(11, 300, 100);
    process(12, 50, 50);
    Files.writeString(pids.resolve("0"), "11\n");
    Files.writeString(pids.resolve("1"), "12\n");
    Files.writeString(pids.resolve("2"), "13\n"); // It has ended, and was awaited.
    Files.writeString(pids.resolve("other"), "14\n");
    ExecutorWatch watch = new ExecutorWatch(pids, new ProcessFacts(proc));
    assertThat(watch.cpuSecondsOfLiving()).isEqualTo(5.0);
  }
}
