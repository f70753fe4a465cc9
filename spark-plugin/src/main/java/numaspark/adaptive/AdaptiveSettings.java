package numaspark.adaptive;

import numaspark.feature.PluginSettings;

/**
 * The properties {@code spark.numaspark.adaptive.*}.
 *
 * @param staticThreads tasks at once of a stage with external storage, in mode static
 * @param leastThreads the fewest that exploring tries
 * @param mostThreads the most; 0 means the executor's slots
 * @param leastGain how many times better a doubling must be to be kept
 * @param waitShare below this share of waiting in task time a stage is not I/O bound
 * @param leastMillis the shortest time over which flowing bytes are measured
 * @param tasksPerSlot below this many tasks for each slot of the executor a stage is not explored
 * @param schedulerSlots whether the driver stops offering the slots that a stage does not use
 */
record AdaptiveSettings(
    Mode mode,
    int staticThreads,
    int leastThreads,
    int mostThreads,
    Criterion criterion,
    double leastGain,
    double waitShare,
    int leastMillis,
    int tasksPerSlot,
    boolean schedulerSlots) {
  private static final int FIRST_THREADS = 2;

  /**
   * @throws IllegalArgumentException naming the property that is wrong
   */
  static AdaptiveSettings of(PluginSettings settings) {
    int least = settings.whole("adaptive.dynamic.minThreads", 1, 1, 1024);
    int most = settings.whole("adaptive.dynamic.maxThreads", 0, 0, 1024);
    if (most != 0 && most < least) {
      throw PluginSettings.invalid(
          "adaptive.dynamic.maxThreads",
          Integer.toString(most),
          "0 for the executor's slots, or at least minThreads, which is " + least);
    }
    return new AdaptiveSettings(
        Mode.of(settings.text("adaptive.mode", "off")),
        settings.whole("adaptive.static.threads", 4, 1, 1024),
        least,
        most,
        Criterion.of(settings.text("adaptive.dynamic.criterion", "throughput")),
        settings.fraction("adaptive.dynamic.minGain", 1.05, 1, 2),
        settings.fraction("adaptive.dynamic.minWaitShare", 0.1, 0, 1),
        settings.whole("adaptive.dynamic.minMillis", 100, 20, 60_000),
        settings.whole("adaptive.dynamic.minTasksPerSlot", 3, 1, 10_000),
        settings.flag("adaptive.schedulerSlots", true));
  }

  /**
   * Where exploring begins: the paper's c_min, because a stage that turns out to compute loses
   * little more at two than at one.
   */
  int firstThreads() {
    int first = Math.max(FIRST_THREADS, leastThreads);
    return mostThreads == 0 ? first : Math.min(first, mostThreads);
  }

  /** The widest setting of an executor with these slots. */
  int most(int slots) {
    return mostThreads == 0 ? slots : Math.min(mostThreads, slots);
  }
}
