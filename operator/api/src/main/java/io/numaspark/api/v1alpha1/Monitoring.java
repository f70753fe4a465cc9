package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** Metrics of driver and executors. */
public record Monitoring(
    @Default("false")
        @JsonPropertyDescription("Expose the driver's metrics by the JMX exporter of prometheus.")
        Boolean exposeDriverMetrics,
    @Default("false")
        @JsonPropertyDescription("Expose the executors' metrics by the JMX exporter of prometheus.")
        Boolean exposeExecutorMetrics,
    @Size(max = 65536)
        @JsonPropertyDescription("Content of Spark's metrics.properties. Absent: a JMX sink.")
        String metricsProperties,
    @Size(min = 1, max = 4096)
        @JsonPropertyDescription(
            "Path of a metrics.properties in the image, instead of metricsProperties.")
        String metricsPropertiesFile,
    @JsonPropertyDescription("Prometheus' JMX exporter.") Prometheus prometheus) {

  /** Prometheus' JMX exporter as a Java agent. */
  public record Prometheus(
      @Required
          @Size(min = 1, max = 4096)
          @JsonPropertyDescription("Path of the exporter's jar in the image.")
          String jmxExporterJar,
      @Min(1024)
          @Max(49151)
          @Default("8090")
          @JsonPropertyDescription("Port of the exporter (1024-49151).")
          Integer port,
      @Size(min = 1, max = 15)
          @Default("jmx-exporter")
          @JsonPropertyDescription("Name of the container's port.")
          String portName,
      @Size(min = 1, max = 4096)
          @JsonPropertyDescription(
              "Path of the exporter's configuration in the image, instead of configuration.")
          String configFile,
      @Size(max = 65536)
          @JsonPropertyDescription("Configuration of the exporter. Absent: rules for Spark.")
          String configuration) {}
}
