package io.numaspark.controller;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.Operator;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.apply.ApplicationSubmitter;
import io.numaspark.controller.apply.OrphanSlotSweep;
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
import io.numaspark.controller.reconcile.SharingCloner;
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
    KubernetesClient client = new KubernetesClientBuilder().build();
    // A watch reads a kind that it does not know as a generic resource first, and converts that.
    KubernetesSerialization serialization = client.getKubernetesSerialization();
    serialization.registerKubernetesResource(SparkApplication.class);
    serialization.registerKubernetesResource(SparkNodeProfile.class);
    start(config, client);
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
    sweepOrphanSlots(client);
    LOG.info("numaspark is ready");
  }

  /** The operator with its reconcilers and metrics, not started yet. */
  static Operator operator(
      OperatorConfig config, KubernetesClient client, PrometheusRegistry registry, String version) {
    OperatorMetrics metrics = new OperatorMetrics(registry, version);
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
                    .withResourceCloner(
                        new SharingCloner(client.getKubernetesSerialization()::clone))
                    .withConcurrentReconciliationThreads(config.workers()));
    operator.register(new ProfileReconciler(new SlotPublisher(client), plans, Clock.systemUTC()));
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
        applications::pods,
        plans::totalSlots,
        plans::strandedCpus);
    return operator;
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
