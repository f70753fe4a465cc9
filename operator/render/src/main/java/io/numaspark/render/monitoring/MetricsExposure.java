package io.numaspark.render.monitoring;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.numaspark.api.v1alpha1.Monitoring;
import io.numaspark.api.v1alpha1.Monitoring.Prometheus;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.DriverUi;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.application.PodAdditions;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.SparkPorts;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.text.ResourceNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Metrics of driver and executors as spec.monitoring asks for them: a ConfigMap with Spark's
 * metrics.properties and the JMX exporter's rules, the exporter as a Java agent, and the
 * annotations by which Prometheus finds it.
 *
 * <p>Limit: the exporter's jar must be in the image. The rules were held to names of Spark's
 * metrics in a test, not to a running exporter.
 */
public final class MetricsExposure implements Concern {
  private static final String FOLDER = "/etc/metrics/conf";
  private static final String VOLUME = "metrics-conf";
  private static final String METRICS = "metrics.properties";
  private static final String EXPORTER = "prometheus.yaml";

  /** Announced for an exporter that the image brings. */
  private static final int PORT = 8090;

  @Override
  public Optional<Refusal> contradiction(SparkApplicationSpec spec, GivenPods pods) {
    return check(spec);
  }

  @Override
  public Contribution contribution(Request request) {
    Monitoring monitoring = request.spec().monitoring();
    return monitoring == null
        ? Contribution.NONE
        : new Exposure(monitoring, request.identity()).contribution();
  }

  /** An exporter with a port that the driver uses itself. */
  private static Optional<Refusal> check(SparkApplicationSpec spec) {
    if (spec.monitoring() == null || spec.monitoring().prometheus() == null) {
      return Optional.empty();
    }
    int port = spec.monitoring().prometheus().port();
    if (List.of(SparkPorts.DRIVER, SparkPorts.BLOCK_MANAGER, DriverUi.port(spec)).contains(port)) {
      return Optional.of(
          new Refusal(
              RefusalReason.SPEC_INVALID,
              "spec.monitoring.prometheus.port: %d is the driver's own; give another, for example 8090"
                  .formatted(port)));
    }
    return Optional.empty();
  }

  private static String text(String resource) {
    try (InputStream stream = MetricsExposure.class.getResourceAsStream(resource)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The monitoring that one application asks for. */
  private record Exposure(Monitoring monitoring, ApplicationIdentity identity) {

    Contribution contribution() {
      return Contribution.of(settings())
          .withDriver(additions(Boolean.TRUE.equals(monitoring.exposeDriverMetrics())))
          .withExecutor(additions(Boolean.TRUE.equals(monitoring.exposeExecutorMetrics())))
          .withObjects(configuration().stream().toList());
    }

    /** What Spark and the exporter read, unless the image has both. */
    Optional<ConfigMap> configuration() {
      SortedMap<String, String> data = new TreeMap<>();
      if (monitoring.metricsPropertiesFile() == null) {
        data.put(
            METRICS,
            Objects.requireNonNullElseGet(monitoring.metricsProperties(), () -> text(METRICS)));
      }
      Prometheus prometheus = monitoring.prometheus();
      if (prometheus != null && prometheus.configFile() == null) {
        data.put(
            EXPORTER,
            Objects.requireNonNullElseGet(
                prometheus.configuration(), () -> text("jmx-exporter.yaml")));
      }
      return data.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new ConfigMapBuilder()
                  .withMetadata(OwnedMetadata.of(identity, configMapName()).build())
                  .withImmutable(true)
                  .withData(data)
                  .build());
    }

    /** Where Spark finds its file, names that stay the same from run to run, and the Java agent. */
    Settings settings() {
      Settings settings = new Settings();
      settings
          .field("spec.monitoring")
          .put("spark.metrics.namespace", identity.namespace() + "." + identity.name())
          .put(
              "spark.metrics.conf",
              Objects.requireNonNullElse(
                  monitoring.metricsPropertiesFile(), FOLDER + "/" + METRICS));
      if (monitoring.prometheus() == null) {
        return settings;
      }
      // Behind the options of those whose metrics are to be exposed.
      Settings.From agent = settings.field("spec.monitoring.prometheus");
      if (Boolean.TRUE.equals(monitoring.exposeDriverMetrics())) {
        agent.append(SparkKeys.DRIVER_OPTIONS, List.of(agent(monitoring.prometheus())));
      }
      if (Boolean.TRUE.equals(monitoring.exposeExecutorMetrics())) {
        agent.append(SparkKeys.EXECUTOR_OPTIONS, List.of(agent(monitoring.prometheus())));
      }
      return settings;
    }

    /** The files are needed wherever Spark runs, the port only where the exporter does. */
    private PodAdditions additions(boolean exposed) {
      boolean mounted = configuration().isPresent();
      Prometheus prometheus = monitoring.prometheus();
      boolean scraped = exposed && prometheus != null;
      int port = port();
      return PodAdditions.mounted(
          mounted
              ? List.of(
                  new VolumeBuilder()
                      .withName(VOLUME)
                      .withNewConfigMap()
                      .withName(configMapName())
                      .endConfigMap()
                      .build())
              : List.of(),
          mounted
              ? List.of(new VolumeMountBuilder().withName(VOLUME).withMountPath(FOLDER).build())
              : List.of(),
          scraped
              ? List.of(
                  new ContainerPortBuilder()
                      .withName(prometheus.portName())
                      .withContainerPort(port)
                      .withProtocol("TCP")
                      .build())
              : List.of(),
          exposed
              ? Map.of(
                  "prometheus.io/scrape",
                  "true",
                  "prometheus.io/port",
                  String.valueOf(port),
                  "prometheus.io/path",
                  "/metrics")
              : Map.of());
    }

    private String agent(Prometheus prometheus) {
      return "-javaagent:%s=%d:%s"
          .formatted(
              prometheus.jmxExporterJar(),
              port(),
              Objects.requireNonNullElse(prometheus.configFile(), FOLDER + "/" + EXPORTER));
    }

    private int port() {
      return monitoring.prometheus() == null ? PORT : monitoring.prometheus().port();
    }

    private String configMapName() {
      return ResourceNames.named(identity.name(), "-prom-conf", identity.attempt());
    }
  }
}
