package numaspark.trial;

/**
 * The mean run time of the tasks that have ended well, of all stages together.
 *
 * <p>Limit: it does not forget, so a task of a short stage waits as long as one of a long stage.
 */
final class MeanRunTime {
  private long nanos;
  private long tasks;

  synchronized void add(long runNanos) {
    nanos += runNanos;
    tasks++;
  }

  /** Nanoseconds; 0 before the first task has ended. */
  synchronized long nanos() {
    return tasks == 0 ? 0 : nanos / tasks;
  }
}
