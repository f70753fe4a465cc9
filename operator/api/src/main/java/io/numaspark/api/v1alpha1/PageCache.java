package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Memory of an executor for files that it reads and writes. */
@ValidationRule(
    value =
        "!has(self.min) || !has(self.max) || quantity(self.min).compareTo(quantity(self.max)) <= 0",
    message =
        "spec.executor.pageCache: min must not be larger than max; lower min, raise max, or leave max out")
public record PageCache(
    @Default("\"0\"")
        @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "Least page cache of an executor in bytes, as a Kubernetes quantity. If the slot's share of memory leaves less next to a heap of"
                + " maxHeap, the heap becomes smaller.")
        String min,
    @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "Most page cache of an executor in bytes, as a Kubernetes quantity. Absent: all that its share of the NUMA node leaves."
                + " \"0\": none; memory that heaps do not use is left to other pods.")
        String max) {}
