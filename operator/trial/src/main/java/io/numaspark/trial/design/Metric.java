package io.numaspark.trial.design;

/** What arms are compared by: less is better. */
public enum Metric {
  /** From the start of the application to its end. */
  DURATION("", "time", "s"),
  /** CPU time of all of its processes. */
  CPU_TIME("cpuSeconds", "CPU time", "s"),
  /** Time for which executors held their CPUs, added up over executors and their CPUs. */
  EXECUTOR_TIME("executorCpuHours", "executor time", "CPU-hours"),
  /** What CPUs and memory of driver and executors cost while they were held. */
  COST("cost", "cost", "");

  private final String measure;
  private final String words;
  private final String unit;

  Metric(String measure, String words, String unit) {
    this.measure = measure;
    this.words = words;
    this.unit = unit;
  }

  /** The measure of a run that has it; empty for its seconds. */
  public String measure() {
    return measure;
  }

  /** In a sentence: "12 % less time". */
  public String words() {
    return words;
  }

  /** Of a value; empty if it has none. */
  public String unit() {
    return unit;
  }

  /**
   * Whether an arm that waits on purpose takes more of it. Waiting takes no CPU time, so a trial of
   * CPU time has no control that is slowed.
   */
  public boolean growsByWaiting() {
    return this != CPU_TIME;
  }
}
