package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A key of a Secret. */
public record NameKey(
    @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Name of the Secret.") String name,
    @Required @Size(min = 1, max = 253) @JsonPropertyDescription("Key in the Secret.")
        String key) {}
