package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;

/** When an application is run again, and how often. May be changed while the application runs. */
public record RestartPolicy(
    @Default("Never")
        @JsonPropertyDescription(
            "Never: it runs once. OnFailure: a failed run is repeated. Always: every run is followed by another.")
        Type type,
    @Min(0)
        @Max(1000000)
        @JsonPropertyDescription(
            "OnFailure: how often a failed run is repeated. Absent: not at all.")
        Integer onFailureRetries,
    @Min(1)
        @Max(604800)
        @Default("5")
        @JsonPropertyDescription(
            "Seconds before the first repetition of a run (1-604800); the n-th waits n times as long.")
        Long onFailureRetryInterval,
    @Min(0)
        @Max(1000000)
        @JsonPropertyDescription(
            "How often a submission that the API server refuses is repeated. Absent: until its cause is gone.")
        Integer onSubmissionFailureRetries,
    @Min(1)
        @Max(604800)
        @Default("5")
        @JsonPropertyDescription(
            "Seconds before the first repetition of a submission (1-604800); the n-th waits n times as long, at most ten"
                + " minutes.")
        Long onSubmissionFailureRetryInterval,
    @JsonPropertyDescription("Not used: a repeated run starts from the beginning.")
        JsonNode recovery) {

  /** Kinds of restart. */
  public enum Type {
    Never,
    OnFailure,
    Always
  }
}
