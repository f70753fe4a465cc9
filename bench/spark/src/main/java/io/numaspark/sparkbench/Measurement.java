package io.numaspark.sparkbench;

import java.util.Map;

/**
 * One run of one query in one variant.
 *
 * @param round warm-ups have negative numbers, 0 is the first that counts
 * @param seconds from the call to the result, by the driver's monotonic clock
 * @param cpuSeconds user and system time of driver and executors together, from the kernel
 * @param memoryMebibytes proportional set size of driver and executors just after, shared pages
 *     counted once in all
 * @param totals sums of Spark's task metrics
 */
record Measurement(
    String suite,
    String query,
    String variant,
    int round,
    double seconds,
    double cpuSeconds,
    double memoryMebibytes,
    Map<String, Long> totals) {

  long total(String metric) {
    return totals.getOrDefault(metric, 0L);
  }

  /** Garbage collection as a share of task time; each task that waits counts the whole pause. */
  double gcShare() {
    long run = total("runMillis");
    return run == 0 ? 0 : (double) total("gcMillis") / run;
  }

  boolean sameRun(Measurement other) {
    return suite.equals(other.suite)
        && query.equals(other.query)
        && variant.equals(other.variant)
        && round == other.round;
  }
}
