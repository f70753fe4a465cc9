package io.numaspark.controller;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.apply.ApplicationSubmitter;
import io.numaspark.controller.apply.OrphanSlotSweep;
import io.numaspark.controller.apply.ScheduledRuns;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.metrics.HttpEndpoint;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.observe.DriverLog;
import io.numaspark.controller.observe.DriverPods;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.process.Health;
import io.numaspark.controller.process.Leadership;
import io.numaspark.controller.reconcile.ApplicationReconciler;
import io.numaspark.controller.reconcile.PlanStore;
import io.numaspark.controller.reconcile.ProfileReconciler;
import io.numaspark.controller.reconcile.ScheduleReconciler;
import io.numaspark.render.application.ApplicationRenderer;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the operator: reads the settings, wires the parts, and stops them in order on SIGTERM. */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  private Main() {}

  /** Entry point of the operator's image. */
  public static void main(String[] arguments) throws IOException {
    OperatorConfig config;
    try {
      config = OperatorConfig.fromEnvironment(System.getenv());
    } catch (IllegalArgumentException e) {
      LOG.error("The operator cannot start: {}", e.getMessage());
      System.exit(2);
      return;
    }
    start(config, new KubernetesClientBuilder().build());
  }

  private static void start(OperatorConfig config, KubernetesClient client) throws IOException {
    String version =
        Optional.ofNullable(Main.class.getPackage().getImplementationVersion()).orElse("dev");
    LOG.info("numaspark {} starts with {}", version, config);
    PrometheusRegistry registry = new PrometheusRegistry();
    JvmMetrics.builder().register(registry);
    OperatorMetrics metrics = new OperatorMetrics(registry, version);
    Operator operator = operator(config, client, registry, metrics);
    Optional<Leadership> leadership =
        config
            .lease()
            .map(
                lease ->
                    new Leadership(client, lease, () -> work(operator, client), () -> halt(1)));
    Health health =
        new Health(
            operator,
            () -> leadership.isPresent() && !leadership.get().isLeading(),
            metrics::longestReconciliation);
    HttpEndpoint endpoint =
        new HttpEndpoint(
            config.httpPort(), registry, health::reasonsToRestart, health::reasonsNotReady);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  // The lease goes last of all: nothing of this replica may work beside the next.
                  operator.stop();
                  leadership.ifPresent(Leadership::close);
                  endpoint.close();
                  client.close();
                },
                "stop"));
    leadership.ifPresentOrElse(Leadership::start, () -> work(operator, client));
  }

  private static void work(Operator operator, KubernetesClient client) {
    try {
      operator.start();
      sweepOrphanSlots(client);
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

  /** The operator with its reconcilers and metrics, not started yet. */
  static Operator operator(
      OperatorConfig config,
      KubernetesClient client,
      PrometheusRegistry registry,
      OperatorMetrics metrics) {
    PlanStore plans = new PlanStore();
    ApplicationReconciler applications =
        new ApplicationReconciler(
            new ApplicationRenderer(config.driverServiceAccount()),
            new ApplicationSubmitter(client),
            new DriverPods(client),
            new DriverRestClient(),
            new DriverLog(client),
            plans,
            Clock.systemUTC());
    Operator operator =
        new Operator(
            overrider ->
                overrider
                    .withKubernetesClient(client)
                    .withMetrics(metrics)
                    .withCloseClientOnStop(false)
                    .withReconciliationTerminationTimeout(STOP_TIMEOUT)
                    .withConcurrentReconciliationThreads(config.workers()));
    operator.register(
        new ProfileReconciler(new SlotPublisher(client), plans, Clock.systemUTC()),
        overrider -> overrider.withRetry(retry()));
    operator.register(
        applications,
        overrider -> {
          overrider.withRetry(retry());
          if (!config.namespaces().isEmpty()) {
            overrider.settingNamespaces(config.namespaces());
          }
        });
    operator.register(
        new ScheduleReconciler(new ScheduledRuns(client), Clock.systemUTC()),
        overrider -> {
          overrider.withRetry(retry());
          if (!config.namespaces().isEmpty()) {
            overrider.settingNamespaces(config.namespaces());
          }
        });
    metrics.registerObjects(
        registry,
        applications::applications,
        applications::pods,
        plans::totalSlots,
        plans::strandedCpus);
    return operator;
  }

  /** For ever: the framework's own gives up after half a minute, and an application would hang. */
  private static GenericRetry retry() {
    return new GenericRetry()
        .setInitialInterval(FIRST_RETRY.toMillis())
        .setIntervalMultiplier(2)
        .setMaxInterval(LONGEST_RETRY.toMillis())
        .withoutMaxAttempts();
  }

  /** With no profile left there is no reconciliation that would take old slots off the nodes. */
  static void sweepOrphanSlots(KubernetesClient client) {
    List<Node> nodes = client.nodes().list().getItems();
    List<String> profiles =
        client.resources(SparkNodeProfile.class).list().getItems().stream()
            .map(profile -> profile.getMetadata().getName())
            .toList();
    new OrphanSlotSweep(new SlotPublisher(client)).sweep(nodes, profiles);
  }
}
