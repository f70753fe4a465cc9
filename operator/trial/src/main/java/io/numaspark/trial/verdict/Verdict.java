package io.numaspark.trial.verdict;

/** What the rounds show of an arm in comparison with the baseline. */
public enum Verdict {
  FASTER,
  SLOWER,
  /** The same, within the margin of the trial. */
  EQUIVALENT,
  /** Neither a difference nor equivalence: more rounds or a quieter machine might show one. */
  NO_DIFFERENCE_SHOWN,
  /** It failed in two rounds or more, so its times say nothing. */
  FAILED,
  /** Dropped in the screening, or too few rounds. */
  NOT_MEASURED
}
