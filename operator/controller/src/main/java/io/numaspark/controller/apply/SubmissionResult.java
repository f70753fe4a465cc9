package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.Pod;

/** What submitting an application came to. */
public sealed interface SubmissionResult {

  /** The driver pod exists, created now or earlier. */
  record Submitted(Pod driver) implements SubmissionResult {}

  /**
   * Objects of a deleted application of the same name still exist; the garbage collector takes them
   * away.
   *
   * @param message names the object
   */
  record Delayed(String message) implements SubmissionResult {}

  /**
   * The API server refused an object.
   *
   * @param reason CamelCase
   * @param message names the object, the refusal and the remedy
   */
  record Refused(SubmissionReason reason, String message) implements SubmissionResult {}
}
