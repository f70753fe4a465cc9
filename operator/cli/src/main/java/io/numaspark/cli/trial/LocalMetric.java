package io.numaspark.cli.trial;

import io.numaspark.trial.design.Metric;
import java.util.stream.Stream;

/** What a trial on one machine can compare arms by. */
enum LocalMetric {
  /** From the start of the application to its end. */
  DURATION(Metric.DURATION),
  /** CPU time of all processes of a run. */
  CPU(Metric.CPU_TIME);

  private final Metric metric;

  LocalMetric(Metric metric) {
    this.metric = metric;
  }

  Metric metric() {
    return metric;
  }

  static LocalMetric of(Metric metric) {
    return Stream.of(values()).filter(local -> local.metric == metric).findFirst().orElseThrow();
  }
}
