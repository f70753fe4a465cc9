package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** numaspark's plugin in driver and executors. */
@ValidationRule(
    value = "!has(self.path) || !has(self.enabled) || self.enabled",
    message = "spec.sparkPlugin.path: enabled is false; remove one of the two")
public record SparkPlugin(
    @JsonPropertyDescription(
            "Whether driver and executors load numaspark's plugin. It measures what pinning is worth (metrics of the driver)"
                + " and is needed for adaptiveExecutors. true: they load it, and the operator refuses the application if it does"
                + " not know where the jar is. false: they do not load it. Absent: they load it if the operator knows where the"
                + " jar is and sparkVersion is 4.1 or later.")
        Boolean enabled,
    @Size(min = 2, max = 1024)
        @Pattern("^/[^:,*\\s]*\\.jar$")
        @JsonPropertyDescription(
            "Path of the plugin's jar in the image of driver and executors, for images that bring it. Absent: where the"
                + " operator's Helm values sparkPlugin.image or sparkPlugin.path say.")
        String path) {}
