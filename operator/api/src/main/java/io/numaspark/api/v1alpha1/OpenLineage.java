package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Where the driver reports which data the application reads and writes. */
public record OpenLineage(
    @Required
        @Size(max = 2048)
        @Pattern("^https?://[^\\s/?#]+$")
        @JsonPropertyDescription(
            "Base URL of a service that receives OpenLineage events by HTTP, for example http://marquez.lineage:5000"
                + " (spark.openlineage.transport.url).")
        String url,
    @Size(max = 1024)
        @Pattern("^/[^\\s]*$")
        @JsonPropertyDescription(
            "Path of the service that takes the events (spark.openlineage.transport.endpoint). Absent: /api/v1/lineage.")
        String endpoint,
    @Size(min = 1, max = 253)
        @JsonPropertyDescription(
            "Namespace of the application's jobs in the lineage (spark.openlineage.namespace). Absent: the application's"
                + " own namespace.")
        String namespace) {}
