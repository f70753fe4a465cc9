package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/** Reasons of the conditions of a trial, beside those of its doubts. */
public enum TrialReason implements StatusReason {
  // Ready: what has to be put right.
  INVALID_TRIAL,
  TRIAL_PROFILE_NOT_FOUND,
  TRIALS_NOT_ALLOWED,
  TRIAL_SPEC_CHANGED,
  RUN_REFUSED,

  // Ready and Locked: what it waits for.
  NODES_LOCKED,
  NODES_BUSY,
  NODES_STAYED_BUSY,
  TRIAL_SUSPENDED,

  // Ready and Locked: it runs, or has run.
  MEASURING,
  TRIAL_COMPLETED,

  // Trustworthy.
  NOT_MEASURED_YET,
  CONTROLS_PASSED,
  CONTROLS_FAILED
}
