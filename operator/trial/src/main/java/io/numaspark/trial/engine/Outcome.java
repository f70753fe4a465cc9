package io.numaspark.trial.engine;

/** How a run ended. */
public enum Outcome {
  OK,
  /** The application failed. */
  FAILED,
  /** It was ended because it took far longer than the baseline. */
  TIMED_OUT,
  /**
   * It ended, but was not what the arm says: its executors ran elsewhere, or its result differs.
   */
  INVALID
}
