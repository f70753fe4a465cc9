package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Devices that a container asks for. */
public record Gpu(
    @Required
        @Size(min = 1, max = 253)
        @JsonPropertyDescription("Name of the extended resource, for example nvidia.com/gpu.")
        String name,
    @Required @Min(1) @JsonPropertyDescription("Number of devices of one pod (1 or more).")
        Long quantity) {}
