package io.numaspark.trial.verdict;

/**
 * Why a trial cannot be trusted.
 *
 * @param message a sentence with the numbers and what to do
 */
public record Doubt(Reason reason, String message) {

  /** Stable names, for programs. */
  public enum Reason {
    TOO_FEW_ROUNDS,
    /** It cannot be measured. */
    APPLICATION_FAILED,
    /** The baseline differs from itself. */
    SAME_ARM_DIFFERS,
    /** An arm that was slowed on purpose does not look slower. */
    DELAY_NOT_FOUND,
    /** More than a third of the rounds. */
    DISTURBED,
    /** Runs were not what their arms say. */
    MANIPULATION_FAILED,
    /** A control was not measured. */
    CONTROL_MISSING
  }
}
