package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.ValidationRule;

/** Range of physical cores of one executor. */
@ValidationRule(
    value = "!has(self.min) || !has(self.max) || self.min <= self.max",
    message =
        "spec.executor.coresPerExecutor: min must not be larger than max; lower min or raise max")
public record CoresPerExecutor(
    @Min(1) @Max(256) @Default("2") @JsonPropertyDescription("Fewest physical cores (1-256).")
        Integer min,
    @Min(1)
        @Max(256)
        @Default("6")
        @JsonPropertyDescription(
            "Most physical cores (1-256). The studies behind this project found up to 6 best.")
        Integer max,
    @Min(1)
        @Max(256)
        @JsonPropertyDescription(
            "Take this many cores whenever at least one such executor fits; otherwise the best of min..max is taken and"
                + " status.executor.why says so.")
        Integer preferred) {}
