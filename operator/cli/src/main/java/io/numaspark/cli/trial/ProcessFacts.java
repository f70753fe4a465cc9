package io.numaspark.cli.trial;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kernel says of a process.
 *
 * <p>Limit: a process that has ended says nothing; the caller keeps what it said last.
 *
 * @param proc normally /proc
 */
record ProcessFacts(Path proc) {
  /** USER_HZ; the kernel's interface fixes it to 100 on all platforms that Spark runs on. */
  private static final double TICKS_PER_SECOND = 100;

  /** Far more than numa_maps of a JVM has. */
  private static final int MOST_BYTES = 16 << 20;

  private static final Pattern PAGES = Pattern.compile("\\bN(\\d{1,4})=(\\d{1,18})\\b");

  /**
   * CPUs and NUMA nodes that a process may use, as the kernel's lists.
   *
   * @param cpus {@code Cpus_allowed_list}
   * @param memory {@code Mems_allowed_list}: cpusets limit it; a policy of numactl does not show
   *     here
   */
  record Allowed(String cpus, String memory) {}

  Optional<Allowed> allowed(long pid) {
    return read(pid, "status")
        .map(
            status ->
                new Allowed(
                    field(status, "Cpus_allowed_list"), field(status, "Mems_allowed_list")));
  }

  private static String field(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  /** Pages of a process by NUMA node; empty if they cannot be read. */
  Map<Integer, Long> pages(long pid) {
    Map<Integer, Long> pages = new TreeMap<>();
    Matcher matcher = PAGES.matcher(read(pid, "numa_maps").orElse(""));
    while (matcher.find()) {
      pages.merge(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)), Long::sum);
    }
    return pages;
  }

  /**
   * User and system time of a process, with that of its children that have ended and were awaited.
   */
  double cpuSeconds(long pid) {
    return read(pid, "stat").map(stat -> ticks(stat, 11, 14)).orElse(0.0);
  }

  /** The time of the children alone that have ended and were awaited. */
  double childrenCpuSeconds(long pid) {
    return read(pid, "stat").map(stat -> ticks(stat, 13, 14)).orElse(0.0);
  }

  /** Sum of fields after the command: utime, stime, cutime and cstime have the indexes 11 to 14. */
  private static double ticks(String stat, int first, int last) {
    // The command, in parentheses, may have spaces.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long sum = 0;
    for (int i = first; i <= last; i++) {
      sum += Long.parseLong(fields[i]);
    }
    return sum / TICKS_PER_SECOND;
  }

  /** Seconds that all CPUs together were not idle since the start, and that the hypervisor took. */
  record Busy(double busySeconds, double stolenSeconds) {
    Busy minus(Busy earlier) {
      return new Busy(busySeconds - earlier.busySeconds, stolenSeconds - earlier.stolenSeconds);
    }
  }

  /** user, nice, system, irq and softirq of all CPUs; steal apart. */
  Busy machine() {
    String[] fields = read(proc.resolve("stat")).orElse("cpu 0 0 0 0 0 0 0 0").split("\\s+", 10);
    long busy = 0;
    for (int index : new int[] {1, 2, 3, 6, 7}) {
      busy += Long.parseLong(fields[index]);
    }
    return new Busy(busy / TICKS_PER_SECOND, Long.parseLong(fields[8]) / TICKS_PER_SECOND);
  }

  private Optional<String> read(long pid, String file) {
    return read(proc.resolve(Long.toString(pid)).resolve(file));
  }

  private static Optional<String> read(Path file) {
    return SmallFile.read(file, MOST_BYTES);
  }
}
