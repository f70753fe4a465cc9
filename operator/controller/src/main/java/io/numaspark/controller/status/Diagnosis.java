package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/**
 * What happened, for a condition and for people.
 *
 * @param reason CamelCase
 * @param message what is wrong and the remedy
 */
public record Diagnosis(String reason, String message) {
  public Diagnosis(StatusReason reason, String message) {
    this(reason.displayName(), message);
  }

  /** In the words of somebody else: a pod's status, a finding, another part of the operator. */
  public static Diagnosis passedOn(String reason, String message) {
    return new Diagnosis(reason, message);
  }
}
