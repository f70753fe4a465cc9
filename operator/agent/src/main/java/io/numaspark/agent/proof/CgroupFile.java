package io.numaspark.agent.proof;

import io.numaspark.agent.proof.KernelUsage.QuotaCounters;
import io.numaspark.planner.topology.CpuSet;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the files of one cgroup (Documentation/admin-guide/cgroup-v2.rst of Linux).
 *
 * <p>Limit: a file that cannot be read is not told apart from a cgroup that has gone.
 */
final class CgroupFile {
  /** memory.numa_stat of 1024 NUMA nodes would not be larger. */
  private static final int MAX_BYTES = 1024 * 1024;

  private CgroupFile() {}

  /** The file's text, or null if it or its cgroup does not exist (any more). */
  static String read(File cgroup, String name) {
    try (FileInputStream file = new FileInputStream(new File(cgroup, name))) {
      return new String(file.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * A list of CPUs or NUMA nodes, or null if there is none to read.
   *
   * @throws IllegalArgumentException naming the file, if it has something else
   */
  static CpuSet cpus(File cgroup, String name) {
    String list = read(cgroup, name);
    try {
      return list == null ? null : CpuSet.parse(list.strip());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(new File(cgroup, name) + ": " + e.getMessage(), e);
    }
  }

  /** Line {@code anon} of memory.numa_stat, for example {@code anon N0=4096 N1=0}. */
  static Map<Integer, Long> anonBytes(File cgroup) {
    Map<Integer, Long> bytes = new TreeMap<>();
    String anon = line(read(cgroup, "memory.numa_stat"), "anon ");
    for (String part : anon.split(" ")) {
      int equals = part.indexOf('=');
      if (equals > 1 && part.charAt(0) == 'N') {
        bytes.put(
            (int) number(cgroup, "memory.numa_stat", part.substring(1, equals)),
            number(cgroup, "memory.numa_stat", part.substring(equals + 1)));
      }
    }
    return bytes;
  }

  /**
   * Lines nr_periods and nr_throttled of cpu.stat; it has them if the controller cpu is enabled.
   */
  static Optional<QuotaCounters> quotaCounters(File cgroup) {
    String text = read(cgroup, "cpu.stat");
    String periods = line(text, "nr_periods ");
    String throttled = line(text, "nr_throttled ");
    if (periods.isEmpty() || throttled.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new QuotaCounters(
            number(cgroup, "cpu.stat", periods), number(cgroup, "cpu.stat", throttled)));
  }

  /** The rest of the line with this start; empty if there is none. */
  private static String line(String text, String start) {
    if (text == null) {
      return "";
    }
    for (int from = 0; from < text.length(); ) {
      int end = text.indexOf('\n', from);
      end = end < 0 ? text.length() : end;
      if (text.startsWith(start, from)) {
        return text.substring(from + start.length(), end);
      }
      from = end + 1;
    }
    return "";
  }

  private static long number(File cgroup, String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          new File(cgroup, name) + ": '" + text + "' is not a whole number", e);
    }
  }
}
