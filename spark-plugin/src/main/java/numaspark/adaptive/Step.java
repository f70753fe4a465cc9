package numaspark.adaptive;

/** What is to be done next with the threads of a stage. */
sealed interface Step {
  /** Go on measuring. */
  record Stay() implements Step {}

  /** Measure with another number of threads. */
  record Try(int threads) implements Step {}

  /** Keep this number until the stage ends. */
  record Settle(int threads, Outcome outcome) implements Step {}
}
