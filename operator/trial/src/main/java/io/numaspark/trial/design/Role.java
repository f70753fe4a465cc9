package io.numaspark.trial.design;

/** What an arm is for. */
public enum Role {
  /** The others are compared with it. */
  BASELINE,
  /** The baseline again: a trial that finds a difference here cannot be trusted. */
  SAME,
  /** The baseline, slowed on purpose: a trial that finds no difference here is blind. */
  DELAYED,
  /** Memory of another NUMA node, on purpose: shows whether locality matters to the application. */
  REMOTE,
  /** What the trial is about. */
  CANDIDATE;

  /** Whether it checks the trial, and is never recommended. */
  public boolean isControl() {
    return this == SAME || this == DELAYED || this == REMOTE;
  }
}
