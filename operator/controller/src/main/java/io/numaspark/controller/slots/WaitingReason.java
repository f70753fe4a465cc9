package io.numaspark.controller.slots;

import io.numaspark.api.v1alpha1.StatusReason;

/** Why an application that starts all or nothing waits. */
public enum WaitingReason implements StatusReason {
  WAITING_FOR_SLOTS,
  NOT_ENOUGH_SLOTS
}
