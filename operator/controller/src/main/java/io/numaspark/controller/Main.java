package io.numaspark.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.config.WebhookConfig;
import io.numaspark.controller.metrics.HttpEndpoint;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.metrics.ProbeEndpoint;
import io.numaspark.controller.observe.ObjectReading;
import io.numaspark.controller.process.Health;
import io.numaspark.controller.process.Leadership;
import io.numaspark.controller.process.RightsCheck;
import io.numaspark.controller.wiring.OperatorAssembly;
import io.numaspark.controller.wiring.WebhookAssembly;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the operator: reads the settings, starts the parts, and stops them in order on SIGTERM.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  /** Starts the webhook instead of the operator. */
  private static final String WEBHOOK = "webhook";

  private Main() {}

  /**
   * Entry point of the operator's image.
   *
   * @param arguments none for the operator; {@link #WEBHOOK}; or {@link RightsCheck#COMMAND} and
   *     the rights to check
   */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 1 && arguments[0].equals(WEBHOOK)) {
      webhook();
      return;
    }
    if (arguments.length > 0) {
      System.exit(command(List.of(arguments)));
    }
    OperatorConfig config;
    try {
      config = OperatorConfig.fromEnvironment(System.getenv());
    } catch (IllegalArgumentException e) {
      LOG.error("The operator cannot start: {}", e.getMessage());
      System.exit(2);
      return;
    }
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withKubernetesSerialization(ObjectReading.serialization())
            .build();
    start(config, client);
  }

  private static int command(List<String> arguments) {
    if (!arguments.get(0).equals(RightsCheck.COMMAND)) {
      LOG.error(
          "unknown argument {}; give none, or {}, or {} and rights",
          arguments.get(0),
          WEBHOOK,
          RightsCheck.COMMAND);
      return 2;
    }
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      return RightsCheck.of(client, System.out).run(arguments.subList(1, arguments.size()));
    }
  }

  private static void webhook() throws IOException {
    WebhookConfig config;
    try {
      config = WebhookConfig.fromEnvironment(System.getenv());
    } catch (IllegalArgumentException e) {
      LOG.error("The webhook cannot start: {}", e.getMessage());
      System.exit(2);
      return;
    }
    LOG.info("numaspark's webhook {} starts with {}", version(), config);
    PrometheusRegistry registry = new PrometheusRegistry();
    JvmMetrics.builder().register(registry);
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withKubernetesSerialization(ObjectReading.serialization())
            .build();
    WebhookAssembly parts = new WebhookAssembly(config, client, registry, Clock.systemUTC());
    ProbeEndpoint probes = new ProbeEndpoint(config.probePort(), List::of, parts::reasonsNotReady);
    HttpEndpoint endpoint = new HttpEndpoint(config.httpPort(), registry);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  parts.close();
                  endpoint.close();
                  probes.close();
                  client.close();
                },
                "stop"));
  }

  private static String version() {
    return Optional.ofNullable(Main.class.getPackage().getImplementationVersion()).orElse("dev");
  }

  private static void start(OperatorConfig config, KubernetesClient client) throws IOException {
    String version = version();
    LOG.info("numaspark {} starts with {}", version, config);
    PrometheusRegistry registry = new PrometheusRegistry();
    JvmMetrics.builder().register(registry);
    OperatorMetrics metrics = new OperatorMetrics(registry, version);
    OperatorAssembly parts =
        new OperatorAssembly(config, client, registry, metrics, Clock.systemUTC());
    Operator operator = parts.operator();
    Optional<Leadership> leadership =
        config
            .lease()
            .map(lease -> new Leadership(client, lease, () -> work(operator), () -> halt(1)));
    Health health =
        new Health(
            operator,
            () -> leadership.isPresent() && !leadership.get().isLeading(),
            metrics::longestReconciliation);
    ProbeEndpoint probes =
        new ProbeEndpoint(config.probePort(), health::reasonsToRestart, health::reasonsNotReady);
    HttpEndpoint endpoint = new HttpEndpoint(config.httpPort(), registry, parts.pages());
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  // The lease goes last of all: nothing of this replica may work beside the next.
                  operator.stop();
                  leadership.ifPresent(Leadership::close);
                  endpoint.close();
                  probes.close();
                  client.close();
                },
                "stop"));
    leadership.ifPresentOrElse(Leadership::start, () -> work(operator));
  }

  private static void work(Operator operator) {
    try {
      operator.start();
      LOG.info("numaspark is ready");
    } catch (RuntimeException e) {
      LOG.error("The operator cannot start", e);
      System.exit(1);
    }
  }

  /** Without the shutdown hooks: another replica works already, and nothing may be finished. */
  private static void halt(int status) {
    Runtime.getRuntime().halt(status);
  }
}
