package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/**
 * Reasons of the conditions of an application, beside those of its refusal, submission and slots.
 */
public enum ApplicationReason implements StatusReason {
  // Ready: what it waits for.
  PROFILE_NOT_FOUND,
  PROFILE_NOT_READY,
  TRIAL_HOLDS_NODES,
  BATCH_SCHEDULER_MISSING,
  WAITING_FOR_KUEUE,
  KUEUE_NEEDS_MAXIMUM,
  SUBMITTING,
  FORMER_RUN_ENDING,
  DRIVER_STARTING,
  DRIVER_UNSCHEDULABLE,

  // Ready: it runs, or has run.
  RUNNING,
  NODE_UNREACHABLE,
  COMPLETED,

  // Ready: why an attempt failed.
  DRIVER_FAILED,
  DRIVER_OUT_OF_MEMORY,
  DRIVER_FORBIDDEN,
  TOO_MANY_EXECUTOR_FAILURES,
  DRIVER_DELETED,
  DRIVER_LOST,
  NODE_LOST,
  EVICTED,
  PREEMPTED,
  DISRUPTED,

  // Ready: it was stopped.
  SUSPENDING,
  SUSPENDED,
  SPEC_CHANGED,

  // Pinned.
  ALL_PINNED,
  NOT_PINNED,
  NOT_REPORTED
}
