package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A further port of the Spark container. */
public record PortFields(
    @Required @Size(min = 1, max = 15) @JsonPropertyDescription("Name of the port.") String name,
    @Default("TCP") @JsonPropertyDescription("Protocol.") Protocol protocol,
    @Required @Min(1) @Max(65535) @JsonPropertyDescription("Port number (1-65535).")
        Integer containerPort) {

  /** Protocols of a container's port. */
  public enum Protocol {
    TCP,
    UDP,
    SCTP
  }
}
