package io.numaspark.render.proof;

import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.render.text.ForeignText;

/**
 * What happened, for a condition and for people.
 *
 * @param reason CamelCase
 * @param message what is wrong and the remedy
 */
public record Diagnosis(String reason, String message) {
  private static final int LONGEST_REASON = 128;

  /** Kubernetes allows 32,768 in a condition; a status holds those of ten attempts too. */
  private static final int LONGEST_MESSAGE = 4096;

  /** Much of it is passed on from pods and the API server, and ends in statuses and events. */
  public Diagnosis {
    reason = ForeignText.line(reason, LONGEST_REASON);
    message = ForeignText.line(message, LONGEST_MESSAGE);
  }

  public Diagnosis(StatusReason reason, String message) {
    this(reason.displayName(), message);
  }

  /** In the words of somebody else: a pod's status, a finding, another part of the operator. */
  public static Diagnosis passedOn(String reason, String message) {
    return new Diagnosis(reason, message);
  }
}
