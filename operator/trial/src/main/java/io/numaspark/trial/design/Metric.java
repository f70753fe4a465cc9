package io.numaspark.trial.design;

/** What arms are compared by: less is better. */
public enum Metric {
  /** From the start of the application to its end. */
  DURATION("", "time"),
  /** CPU time of all of its processes. */
  CPU_TIME("cpuSeconds", "CPU time"),
  /** Time for which executors held their CPUs, added up over executors and their CPUs, in hours. */
  EXECUTOR_TIME("executorCpuHours", "executor time"),
  /** What CPUs and memory of driver and executors cost while they were held. */
  COST("cost", "cost");

  private final String measure;
  private final String words;

  Metric(String measure, String words) {
    this.measure = measure;
    this.words = words;
  }

  /** The measure of a run that has it; empty for its seconds. */
  public String measure() {
    return measure;
  }

  /** In a sentence: "12 % less time". */
  public String words() {
    return words;
  }

  /**
   * Whether an arm that waits on purpose takes more of it. Waiting takes no CPU time, so a trial of
   * CPU time has no control that is slowed.
   */
  public boolean growsByWaiting() {
    return this != CPU_TIME;
  }
}
