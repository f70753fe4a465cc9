package io.numaspark.cli.trial;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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

  /**
   * bash's own read waits without a process. The group is that of setsid, which may not have made
   * it yet. How often it was stopped is printed at the end.
   */
  private static final String SCRIPT =
      """
      exec 3<> <(:)
      stops=0
      trap 'exit' TERM
      trap 'echo "$stops"' EXIT
      until kill -0 -- "-$1" 2> /dev/null; do
        kill -0 "$1" 2> /dev/null || exit 0
        read -r -t 0.02 -u 3
      done
      while kill -STOP -- "-$1" 2> /dev/null; do
        read -r -t "$2" -u 3
        kill -CONT -- "-$1" 2> /dev/null || exit 0
        stops=$((stops + 1))
        read -r -t "$3" -u 3
      done
      """;

  private final Process process;
  private final double pause;

  private Slowdown(Process process, double pause) {
    this.process = process;
    this.pause = pause;
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
    double pause = RUNNING * share;
    List<String> command =
        List.of(
            "bash",
            "-c",
            SCRIPT,
            "slowdown",
            Long.toString(group),
            String.format(Locale.ROOT, "%.4f", pause),
            String.format(Locale.ROOT, "%.4f", RUNNING));
    return Optional.of(
        new Slowdown(
            new ProcessBuilder(command).redirectError(Path.of("/dev/null").toFile()).start(),
            pause));
  }

  /** Ends it; returns for how many seconds the group was stopped, 0 if that is not known. */
  double end() {
    // Not of the process itself: that would close what it prints.
    process.toHandle().destroy();
    try (InputStream printed = process.getInputStream()) {
      String stops = new String(printed.readNBytes(16), StandardCharsets.US_ASCII).strip();
      return stops.matches("[0-9]{1,9}") ? Integer.parseInt(stops) * pause : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
