package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A ConfigMap and the folder where it is mounted. */
public record NamePath(
    @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Name of the ConfigMap.")
        String name,
    @Required @Size(min = 1, max = 4096) @JsonPropertyDescription("Folder in the container.")
        String path) {}
