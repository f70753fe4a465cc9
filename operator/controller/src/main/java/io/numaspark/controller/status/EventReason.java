package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/** Reasons of events that are not at the same time the reason of a condition. */
public enum EventReason implements StatusReason {
  // Of an application.
  SUBMITTED,
  RUNNING,
  COMPLETED,
  FAILED,
  SUBMISSION_FAILED,
  RERUN,
  INVALIDATED,
  SUSPENDED,
  RESUMED,
  NODE_UNREACHABLE,
  EXECUTOR_FAILED,
  EXECUTOR_OUT_OF_MEMORY,
  PROMISE_ENDED,
  WARNING,

  // Of an application, a profile and a node.
  EXECUTOR_REJECTED,

  // Of a profile and a node.
  SHARED_CPUS_TOO_FEW,

  // Of a SparkConnect.
  SERVER_RESTARTED,

  // Of a trial.
  RUN_DOES_NOT_COUNT,

  // Of an executor of others.
  NOT_INJECTED,
  NOT_REVIEWED,

  // Of a node.
  KNOBS_NOT_RESTORED
}
