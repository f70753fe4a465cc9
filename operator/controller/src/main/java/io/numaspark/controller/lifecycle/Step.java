package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import java.time.Instant;
import java.util.Optional;

/** What is to be done for an application next. */
public sealed interface Step {

  /**
   * Start a new attempt: write the intent, then create its objects.
   *
   * @param attempt its number, from 1
   * @param failures failed attempts in a row before it
   * @param whileWaiting state of the application as long as a profile or slots are missing:
   *     SUBMITTED, or PENDING_RERUN if an attempt has ended before it
   */
  record Start(int attempt, int failures, State whileWaiting) implements Step {}

  /** The intent stands: create those objects of the current attempt that are missing. */
  record Submit() implements Step {}

  /** The driver lives: say in the status how it is. */
  record Follow() implements Step {}

  /**
   * The current attempt has ended.
   *
   * @param next COMPLETED, FAILED or PENDING_RERUN
   * @param failures failed attempts in a row, this one included
   * @param at when it ended; not in the future
   * @param dueAt when the next attempt starts, for PENDING_RERUN
   */
  record Finish(State next, int failures, Instant at, Optional<Instant> dueAt) implements Step {}

  /** No further attempt follows after all: restartPolicy was changed while one was due. */
  record Settle(State end) implements Step {}

  /**
   * Delete driver and executors, and wait until they are gone.
   *
   * @param state SUSPENDING or INVALIDATING, to be written before anything is deleted
   */
  record Stop(State state) implements Step {}

  /** Nothing runs, and nothing is to run. */
  record Suspend() implements Step {}

  /** Nothing to do before this time. */
  record WaitUntil(Instant time) implements Step {}

  /** The time to live is over: delete the application. */
  record Delete() implements Step {}

  /** Nothing to do until somebody changes something. */
  record Rest() implements Step {}
}
