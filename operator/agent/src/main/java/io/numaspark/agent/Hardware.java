package io.numaspark.agent;

import io.numaspark.planner.sysfs.NodeReading;
import io.numaspark.planner.sysfs.SysfsTopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The node's hardware, read again when CPUs went on or off line, and every ten minutes for what
 * changes without a trace, such as huge pages.
 */
final class Hardware {
  private static final Duration AGAIN = Duration.ofMinutes(10);

  /** What changes when CPUs come or go. */
  private static final List<String> TRACES =
      List.of("sys/devices/system/cpu/online", "sys/devices/system/cpu/smt/control");

  private final Path root;
  private final Path dmiTable;
  private NodeReading reading;
  private String traces = "";
  private Instant due = Instant.EPOCH;

  /**
   * A node's hardware.
   *
   * @param root with sys/ and proc/
   * @param dmi folder of the firmware's tables, if it is not where it belongs
   */
  Hardware(Path root, Optional<Path> dmi) {
    this.root = root;
    this.dmiTable = dmi.orElse(root.resolve("sys/firmware/dmi")).resolve("tables/DMI");
  }

  /**
   * The hardware.
   *
   * @throws HardwareException naming the file that is missing or not understood
   */
  NodeReading read(Instant now) throws HardwareException {
    try {
      String tracesNow = traces();
      if (reading == null || !tracesNow.equals(traces) || !now.isBefore(due)) {
        reading = SysfsTopologyReader.read(root, dmiTable);
        traces = tracesNow;
        due = now.plus(AGAIN);
      }
      return reading;
    } catch (IOException e) {
      throw new HardwareException(e);
    }
  }

  private String traces() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String trace : TRACES) {
      Path file = root.resolve(trace);
      text.append(Files.exists(file) ? Files.readString(file) : "").append('\n');
    }
    return text.toString();
  }
}
