package io.numaspark.trial.engine;

/** Rounds of these phases are never compared with one another. */
public enum Phase {
  /** One round that does not count: it fills caches and shows how long the arms take. */
  CALIBRATION,
  /**
   * Rounds after which the worst of many candidates are dropped. They do not count: survivors are
   * lucky too.
   */
  SCREENING,
  /** The rounds that count. */
  CONFIRMATION
}
