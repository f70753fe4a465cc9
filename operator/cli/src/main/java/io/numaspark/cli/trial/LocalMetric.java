package io.numaspark.cli.trial;

import io.numaspark.trial.design.Metric;

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
}
