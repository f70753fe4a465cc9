package numaspark.adaptive;

/** The next move of the search for the number of threads of a stage. */
sealed interface ClimbMove {
  /** Continue to measure with the same number of threads. */
  record Stay() implements ClimbMove {}

  /** Measure with another number of threads. */
  record Try(int threads) implements ClimbMove {}

  /** Keep this number until the stage ends. */
  record Settle(int threads, Outcome outcome) implements ClimbMove {}
}
