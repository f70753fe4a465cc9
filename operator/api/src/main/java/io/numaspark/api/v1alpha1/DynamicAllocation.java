package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** Executors that come and go with the work; with a node profile bounded by its slots. */
@ValidationRule(
    value =
        "!has(self.minExecutors) || !has(self.maxExecutors) || self.minExecutors <= self.maxExecutors",
    message =
        "spec.dynamicAllocation: minExecutors is larger than maxExecutors; lower minExecutors or raise maxExecutors")
@ValidationRule(
    value =
        "!has(self.initialExecutors) || !has(self.maxExecutors) || self.initialExecutors <= self.maxExecutors",
    message =
        "spec.dynamicAllocation: initialExecutors is larger than maxExecutors; lower initialExecutors or raise maxExecutors")
public record DynamicAllocation(
    @Default("false")
        @JsonPropertyDescription(
            "Whether Spark requests executors by the number of waiting tasks (spark.dynamicAllocation.enabled).")
        Boolean enabled,
    @Min(0) @Max(100000) @JsonPropertyDescription("Executors to start with. Absent: minExecutors.")
        Integer initialExecutors,
    @Min(0) @Max(100000) @JsonPropertyDescription("Fewest executors. Absent: 0.")
        Integer minExecutors,
    @Min(1)
        @Max(100000)
        @JsonPropertyDescription(
            "Most executors. Absent: with nodeProfile as many as the profile has slots, else no limit.")
        Integer maxExecutors,
    @Default("true")
        @JsonPropertyDescription(
            "Keep executors whose shuffle files are needed (spark.dynamicAllocation.shuffleTracking.enabled).")
        Boolean shuffleTrackingEnabled,
    @Min(1)
        @JsonPropertyDescription(
            "Milliseconds after which an executor is given up although its shuffle files may be needed"
                + " (spark.dynamicAllocation.shuffleTracking.timeout). Absent: never.")
        Long shuffleTrackingTimeout) {}
