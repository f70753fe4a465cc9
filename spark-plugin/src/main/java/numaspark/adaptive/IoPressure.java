package numaspark.adaptive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time in which some task of the executor's own cgroup was stalled on I/O, by the kernel (cgroup v2
 * with PSI). Waits for the network are not in it, so it tells a busy disk from a busy network; it
 * is reported beside a decision and decides nothing.
 */
final class IoPressure {
  private final Path file;

  IoPressure() {
    this(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
  }

  IoPressure(Path membership, Path root) {
    this.file = find(membership, root);
  }

  private static Path find(Path membership, Path root) {
    try {
      for (String line : Files.readAllLines(membership)) {
        if (line.startsWith("0::")) {
          // In a container the own cgroup is most often the root of what is mounted.
          Path own = root.resolve(line.substring("0::/".length())).resolve("io.pressure");
          Path mounted = root.resolve("io.pressure");
          return Files.isReadable(own) ? own : Files.isReadable(mounted) ? mounted : null;
        }
      }
    } catch (IOException e) {
      // told as absent
    }
    return null;
  }

  /** Seconds since the cgroup was made; NaN where the kernel does not tell. */
  double seconds() {
    if (file == null) {
      return Double.NaN;
    }
    try {
      for (String line : Files.readAllLines(file)) {
        int total = line.indexOf("total=");
        if (line.startsWith("some ") && total > 0) {
          return Long.parseLong(line.substring(total + "total=".length()).strip()) / 1e6;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // told as absent
    }
    return Double.NaN;
  }
}
