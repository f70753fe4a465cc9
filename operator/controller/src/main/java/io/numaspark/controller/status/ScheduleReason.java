package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/** Reasons of the condition Ready of a schedule. */
public enum ScheduleReason implements StatusReason {
  SCHEDULED,
  RUN_STARTED,
  RUN_LEFT_OUT,
  RUN_REFUSED,
  SUSPENDED,
  INVALID_SCHEDULE,
  CLOCK_SKEW
}
