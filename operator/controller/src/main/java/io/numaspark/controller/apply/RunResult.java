package io.numaspark.controller.apply;

/** What became of the attempt to create a run of a schedule. */
public sealed interface RunResult {
  /** The run exists and belongs to the schedule. */
  record Created() implements RunResult {}

  /**
   * The API server does not take it.
   *
   * @param message what it says
   */
  record NotCreated(String message) implements RunResult {}
}
