package io.numaspark.agent.knob;

/** The words of {@code KnobState.state}. */
public enum KnobVerdict {
  /** The wanted value was read back everywhere. */
  Applied,
  /** Compared only. */
  Observed,
  /** It was applied, and somebody else has changed it since. */
  Drifted,
  /** It has not the wanted value, or could not be put back. */
  Failed,
  /** This machine has no such knob. */
  Unsupported,
  /** Nobody wants it any more, and it is what it was before. */
  Restored
}
