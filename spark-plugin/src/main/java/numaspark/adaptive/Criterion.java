package numaspark.adaptive;

import numaspark.feature.PluginSettings;

/** By what a wider setting is held to be better than a narrower one. */
enum Criterion {
  /** More bytes a second: the time of a stage is its bytes over its throughput. */
  THROUGHPUT {
    @Override
    double gain(IntervalMeasurement narrow, IntervalMeasurement wide) {
      return wide.throughput() / narrow.throughput();
    }
  },
  /**
   * A smaller congestion index, as in the paper. For tasks that do nothing but wait this asks for
   * √2 times the throughput at twice the threads, so it stops early where a device still gains a
   * little.
   */
  CONGESTION {
    @Override
    double gain(IntervalMeasurement narrow, IntervalMeasurement wide) {
      return narrow.congestion() / wide.congestion();
    }
  };

  /** How many times better the wide setting is; more than 1 means better. */
  abstract double gain(IntervalMeasurement narrow, IntervalMeasurement wide);

  static Criterion of(String value) {
    return switch (value) {
      case "throughput" -> THROUGHPUT;
      case "congestion" -> CONGESTION;
      default ->
          throw PluginSettings.invalid(
              "adaptive.dynamic.criterion", value, "throughput or congestion");
    };
  }
}
