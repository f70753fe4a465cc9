package io.numaspark.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.controller.apply.ApplicationSubmitter;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.metrics.HttpEndpoint;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.observe.DriverLog;
import io.numaspark.controller.observe.DriverPods;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.reconcile.ApplicationReconciler;
import io.numaspark.controller.reconcile.PlanStore;
import io.numaspark.controller.reconcile.ProfileReconciler;
import io.numaspark.controller.reconcile.SlotsReconciler;
import io.numaspark.controller.reconcile.SlotsReconciler.PodScope;
import io.numaspark.controller.slots.SlotBoard;
import io.numaspark.render.application.ApplicationRenderer;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the operator: reads the settings, wires the parts, and stops them in order on SIGTERM. */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

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
    Operator operator = operator(config, client, registry, version);
    operator.installShutdownHook(STOP_TIMEOUT);
    HttpEndpoint endpoint =
        new HttpEndpoint(
            config.httpPort(),
            registry,
            () ->
                !operator.getRuntimeInfo().isStarted()
                    || operator.getRuntimeInfo().allEventSourcesAreHealthy(),
            () -> operator.getRuntimeInfo().isStarted());
    Runtime.getRuntime().addShutdownHook(new Thread(endpoint::close));
    operator.start();
    LOG.info("numaspark is ready");
  }

  /** The operator with its reconcilers and metrics, not started yet. */
  static Operator operator(
      OperatorConfig config, KubernetesClient client, PrometheusRegistry registry, String version) {
    OperatorMetrics metrics = new OperatorMetrics(registry, version);
    PlanStore plans = new PlanStore();
    SlotBoard board = new SlotBoard();
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
                    .withConcurrentReconciliationThreads(config.workers()));
    operator.register(
        new ProfileReconciler(plans, board, Clock.systemUTC()), ProfileReconciler::configure);
    operator.register(
        new SlotsReconciler(
            new SlotPublisher(client),
            plans,
            board,
            (rejection, withheld) ->
                metrics.countRejection(rejection.reason(), rejection.profile()),
            new PodScope(config.namespaces(), config.foreignPods()),
            Clock.systemUTC()),
        SlotsReconciler::configure);
    operator.register(
        applications,
        overrider -> {
          if (!config.namespaces().isEmpty()) {
            overrider.settingNamespaces(config.namespaces());
          }
        });
    metrics.registerObjects(
        registry,
        applications::applications,
        plans::totalSlots,
        board::byProfile,
        plans::strandedCpus);
    return operator;
  }
}
