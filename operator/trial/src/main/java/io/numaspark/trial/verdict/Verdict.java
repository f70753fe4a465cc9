package io.numaspark.trial.verdict;

import io.numaspark.trial.design.Metric;
import java.util.Locale;

/** What the rounds show of an arm in comparison with the baseline. */
public enum Verdict {
  /** It takes less of the metric of the trial, which is mostly time. */
  FASTER,
  /** It takes more of it. */
  SLOWER,
  /** The same, within the margin of the trial. */
  EQUIVALENT,
  /** Neither a difference nor equivalence: more rounds or a quieter machine might show one. */
  NO_DIFFERENCE_SHOWN,
  /** It failed in two rounds or more, so its times say nothing. */
  FAILED,
  /** Dropped in the screening, or too few rounds. */
  NOT_MEASURED;

  /** In lower case, for people. */
  public String words(Metric metric) {
    if (metric != Metric.DURATION && this == FASTER) {
      return "less";
    }
    return metric != Metric.DURATION && this == SLOWER
        ? "more"
        : name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
