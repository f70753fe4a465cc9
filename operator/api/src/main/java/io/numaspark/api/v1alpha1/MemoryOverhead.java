package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;

/**
 * Non-heap memory of an executor: the larger of a share of the heap and a minimum, as Spark
 * computes it.
 */
public record MemoryOverhead(
    @Default("\"0.10\"")
        @Pattern("^(0(\\.[0-9]{1,3})?|1(\\.0{1,3})?)$")
        @JsonPropertyDescription(
            "Share of the heap (0 to 1, as a string). Python and R applications get at least 0.40, Spark's own value.")
        String factor,
    @Default("\"384Mi\"")
        @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "Minimum in bytes, as a Kubernetes quantity; Spark's own is 384Mi.")
        String min) {}
