package io.numaspark.cli.trial;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Stops a process and its children again and again, so that they take longer by a known share: the
 * control that a trial which finds nothing is not blind.
 *
 * <p>Limit: what waits for a disk or for another process goes on waiting while it is stopped, so an
 * application that mostly waits is slowed by less.
 */
final class Slowdown {
  /** Seconds of running between two stops: short to a run, long to a process switch. */
  private static final double RUNNING = 0.2;

  /** bash's own read waits without a process; the group is that of setsid. */
  private static final String SCRIPT =
      """
      exec 3<> <(:)
      while kill -STOP -- "-$1" 2> /dev/null; do
        read -r -t "$2" -u 3
        kill -CONT -- "-$1" 2> /dev/null || exit 0
        read -r -t "$3" -u 3
      done
      """;

  private final Process process;

  private Slowdown(Process process) {
    this.process = process;
  }

  /**
   * @param group process group to slow
   * @param share of its time: 0.1 makes 10 s into 11
   * @return empty if the share is 0
   */
  static Optional<Slowdown> start(long group, double share) throws IOException {
    if (share == 0) {
      return Optional.empty();
    }
    List<String> command =
        List.of(
            "bash",
            "-c",
            SCRIPT,
            "slowdown",
            Long.toString(group),
            String.format(Locale.ROOT, "%.4f", RUNNING * share),
            String.format(Locale.ROOT, "%.4f", RUNNING));
    return Optional.of(
        new Slowdown(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Path.of("/dev/null").toFile())
                .start()));
  }

  void close() {
    process.destroy();
  }
}
