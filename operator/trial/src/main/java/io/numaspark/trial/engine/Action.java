package io.numaspark.trial.engine;

import io.numaspark.trial.design.Arm;

/** What the trial does next. */
public sealed interface Action {

  /** Run one arm, and write a line to the journal. */
  record Start(RoundId round, Arm arm) implements Action {}

  /** Analyse what there is. */
  record Finish(Ending ending) implements Action {}

  /** Why no further run follows. */
  enum Ending {
    /** All rounds were measured. */
    COMPLETE("all rounds were measured"),
    /** The next round would end after the budget. */
    BUDGET("the next round would have ended after the budget"),
    /** Not even the least number of rounds fits. */
    BUDGET_TOO_SMALL(
        "by the times of the calibration, fewer rounds fit into the budget than a verdict needs"),
    /** The application itself does not run. */
    BASELINE_FAILED("the baseline failed in the calibration, so there is nothing to compare with"),
    /** Nothing is left to compare. */
    NOTHING_LEFT("every arm but the baseline failed in the calibration"),
    /** The machine is too busy. */
    DISTURBED("too many rounds were disturbed by something else that used the machine"),
    /** Too many rounds in which the baseline failed. */
    BASELINE_UNRELIABLE("the baseline failed in three rounds");

    private final String words;

    Ending(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
