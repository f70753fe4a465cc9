package io.numaspark.controller.apply;

import io.numaspark.api.v1alpha1.StatusReason;

/** Why the API server did not take what runs an attempt. */
public enum SubmissionReason implements StatusReason {
  NAME_TAKEN,
  SUBMISSION_FORBIDDEN,
  SUBMISSION_REFUSED
}
