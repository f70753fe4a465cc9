package io.numaspark.controller.slots;

import io.numaspark.api.v1alpha1.StatusReason;

/** Whether an application may start. */
public sealed interface StartDecision {

  /** Its slots are free, and kept for it among applications that start all or nothing. */
  record Admitted() implements StartDecision {}

  /** Nobody knows yet: the operator has just started. */
  record TooEarly() implements StartDecision {}

  /**
   * It waits.
   *
   * @param reason CamelCase, of {@link WaitingReason}
   * @param message the numbers, as a sentence
   */
  record Waiting(String reason, String message) implements StartDecision {
    Waiting(WaitingReason reason, String message) {
      this(reason.displayName(), message);
    }
  }

  /** Why an application waits for slots of its profile. */
  enum WaitingReason implements StatusReason {
    WAITING_FOR_SLOTS,
    /** There would be too few even without any other application. */
    NOT_ENOUGH_SLOTS,
    WAITING_FOR_QUOTA,
    /** The quota would refuse its executors even if nothing else were in the namespace. */
    QUOTA_TOO_SMALL
  }
}
