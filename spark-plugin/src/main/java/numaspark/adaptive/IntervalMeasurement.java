package numaspark.adaptive;

import java.io.Serializable;

/**
 * What was seen while a number of tasks were let run at once.
 *
 * @param threads how many tasks ran at once
 * @param tasks how many were measured
 * @param bytes what they read and wrote
 * @param taskSeconds the sum of their times, without time at the gate
 * @param waitSeconds the part in which they neither ran, nor waited for a CPU, nor for the
 *     collector
 */
record IntervalMeasurement(
    int threads, int tasks, long bytes, double taskSeconds, double waitSeconds)
    implements Serializable {
  private static final double MEGABYTE = 1e6;

  /**
   * Bytes a second of all threads together, by Little's law from the time one byte takes one task:
   * free of the idle edges at the begin and end of an interval.
   */
  double throughput() {
    return taskSeconds > 0 ? threads * (bytes / taskSeconds) : 0;
  }

  /** From 0 to 1. */
  double waitShare() {
    return taskSeconds > 0 ? waitSeconds / taskSeconds : 0;
  }

  /**
   * The paper's index ζ = ε/μ, with ε the wait for one megabyte in one task (s) and μ in MB/s. The
   * paper's ε is the sum over tasks, which makes the index of a perfectly scaling device a tie;
   * wait for each byte also keeps large and small tasks comparable.
   */
  double congestion() {
    return bytes > 0 ? waitSeconds / (bytes / MEGABYTE) / (throughput() / MEGABYTE) : 0;
  }

  @Override
  public String toString() {
    return String.format(java.util.Locale.ROOT, "%d=%.1fMB/s", threads, throughput() / MEGABYTE);
  }
}
