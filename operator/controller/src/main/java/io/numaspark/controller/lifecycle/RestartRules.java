package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.RestartPolicy;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.schema.CustomResourceSchema;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** When an attempt or a submission is repeated, after spec.restartPolicy. */
public record RestartRules(RestartPolicy policy) {
  private static final long LONGEST_SUBMISSION_DELAY_SECONDS = 600;

  /** The rules of a policy; what it leaves out has the defaults of the schema. */
  public RestartRules {
    policy =
        CustomResourceSchema.of(SparkApplication.class)
            .withDefaults("spec.restartPolicy", policy, RestartPolicy.class);
  }

  /** The rules of a spec. */
  public static RestartRules of(SparkApplicationSpec spec) {
    return new RestartRules(spec.restartPolicy());
  }

  /**
   * Whether another attempt follows.
   *
   * @param succeeded how the last one ended
   * @param failures failed attempts in a row, that one included
   */
  boolean repeats(boolean succeeded, int failures) {
    return switch (policy.type()) {
      case Never -> false;
      case Always -> true;
      case OnFailure ->
          !succeeded && failures <= Objects.requireNonNullElse(policy.onFailureRetries(), 0);
    };
  }

  /** When it starts: after the interval for each failure in a row, and once after a success. */
  Instant next(Instant end, int failures) {
    long interval = policy.onFailureRetryInterval();
    return end.plusSeconds(interval * Math.max(1, failures));
  }

  /**
   * Whether a refused submission is repeated.
   *
   * @param submissions how often it was tried, from 1
   */
  public boolean repeatsSubmission(int submissions) {
    Integer retries = policy.onSubmissionFailureRetries();
    return retries == null || submissions <= retries;
  }

  /** How long to wait before that; grows up to ten minutes, or one interval if that is longer. */
  public Duration submissionDelay(int submissions) {
    long interval = policy.onSubmissionFailureRetryInterval();
    return Duration.ofSeconds(
        Math.min(interval * submissions, longestSubmissionDelay().toSeconds()));
  }

  /** Ten minutes, or one interval if that is longer. */
  Duration longestSubmissionDelay() {
    long interval = policy.onSubmissionFailureRetryInterval();
    return Duration.ofSeconds(Math.max(interval, LONGEST_SUBMISSION_DELAY_SECONDS));
  }
}
