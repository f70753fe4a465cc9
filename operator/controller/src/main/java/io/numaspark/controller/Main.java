package io.numaspark.controller;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.numaspark.controller.apply.AgentOrders;
import io.numaspark.controller.apply.ClusterObjects;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.apply.ScheduledRuns;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.metrics.AgentMetrics;
import io.numaspark.controller.metrics.HttpEndpoint;
import io.numaspark.controller.metrics.NodePages;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.metrics.PlanMetrics;
import io.numaspark.controller.metrics.ProbeEndpoint;
import io.numaspark.controller.metrics.StartMetrics;
import io.numaspark.controller.observe.DriverLog;
import io.numaspark.controller.observe.DriverPods;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.observe.ObjectReading;
import io.numaspark.controller.observe.TrimmedPods;
import io.numaspark.controller.process.Health;
import io.numaspark.controller.process.Leadership;
import io.numaspark.controller.process.RightsCheck;
import io.numaspark.controller.reconcile.AgentReconciler;
import io.numaspark.controller.reconcile.Announcer;
import io.numaspark.controller.reconcile.ApplicationReconciler;
import io.numaspark.controller.reconcile.ApplicationReconciler.Tools;
import io.numaspark.controller.reconcile.CachedFleet;
import io.numaspark.controller.reconcile.NodeAgents;
import io.numaspark.controller.reconcile.NodeKnowledge;
import io.numaspark.controller.reconcile.PlanStore;
import io.numaspark.controller.reconcile.ProfileReconciler;
import io.numaspark.controller.reconcile.RejectionReport;
import io.numaspark.controller.reconcile.ScheduleReconciler;
import io.numaspark.controller.reconcile.SharingCloner;
import io.numaspark.controller.reconcile.SlotStartGate;
import io.numaspark.controller.reconcile.SlotsReconciler;
import io.numaspark.controller.reconcile.SlotsReconciler.PodScope;
import io.numaspark.controller.slots.SlotBoard;
import io.numaspark.render.ApplicationRenderer;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the operator: reads the settings, wires the parts, and stops them in order on SIGTERM. */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  private Main() {}

  /**
   * Entry point of the operator's image.
   *
   * @param arguments none, or {@link RightsCheck#COMMAND} and the rights to check instead
   */
  public static void main(String[] arguments) throws IOException {
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
          "unknown argument {}; give none, or {} and rights",
          arguments.get(0),
          RightsCheck.COMMAND);
      return 2;
    }
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      return RightsCheck.of(client, System.out).run(arguments.subList(1, arguments.size()));
    }
  }

  private static void start(OperatorConfig config, KubernetesClient client) throws IOException {
    String version =
        Optional.ofNullable(Main.class.getPackage().getImplementationVersion()).orElse("dev");
    LOG.info("numaspark {} starts with {}", version, config);
    PrometheusRegistry registry = new PrometheusRegistry();
    JvmMetrics.builder().register(registry);
    OperatorMetrics metrics = new OperatorMetrics(registry, version);
    NodePages pages = new NodePages();
    Operator operator = operator(config, client, registry, metrics, pages, Clock.systemUTC());
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
    HttpEndpoint endpoint = new HttpEndpoint(config.httpPort(), registry, pages);
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

  /** The operator with its reconcilers, metrics and pages, not started yet. */
  static Operator operator(
      OperatorConfig config,
      KubernetesClient client,
      PrometheusRegistry registry,
      OperatorMetrics metrics,
      NodePages pages,
      Clock clock) {
    KubernetesClient podWatcher =
        new KubernetesClientBuilder()
            .withConfig(client.getConfiguration())
            .withKubernetesSerialization(TrimmedPods.serialization())
            .build();
    UnaryOperator<InformerEventSourceConfiguration.Builder<Pod>> podClient =
        pods -> pods.withKubernetesClient(podWatcher);
    PlanStore plans = new PlanStore();
    NodeAgents agents = new NodeAgents();
    NodeKnowledge nodes = new NodeKnowledge(plans, agents);
    SlotBoard board = new SlotBoard();
    SlotStartGate gate = new SlotStartGate(board, clock);
    Announcer announcer = new Announcer(new EventRecorder(client, clock, podName()));
    ApplicationReconciler applications =
        new ApplicationReconciler(
            new ApplicationRenderer(
                config.driverServiceAccount(), config.ui(), config.plugin(), config.grants()),
            new Tools(
                podClient,
                new ClusterObjects(client),
                new DriverPods(client),
                new DriverRestClient(),
                new DriverLog(client.getConfiguration()),
                announcer,
                new StartMetrics(registry, plans::profiles)),
            nodes,
            gate,
            clock);
    gate.connect(applications::applications, applications::wake, applications::tellPromiseEnded);
    Operator operator =
        new Operator(
            overrider ->
                overrider
                    .withKubernetesClient(client)
                    .withMetrics(metrics)
                    // Else our own status is forgotten when an older event arrives.
                    .withParseResourceVersions(true)
                    .withCloseClientOnStop(false)
                    .withReconciliationTerminationTimeout(STOP_TIMEOUT)
                    .withResourceCloner(
                        new SharingCloner(client.getKubernetesSerialization()::clone))
                    .withConcurrentReconciliationThreads(config.workers()));
    ProfileReconciler profiles =
        new ProfileReconciler(
            nodes, board, new PlanMetrics(registry, plans::plans), announcer, clock);
    operator.register(
        profiles, overrider -> ProfileReconciler.configure(overrider.withRetry(retry())));
    operator.register(
        new SlotsReconciler(
            new SlotPublisher(client),
            nodes,
            board,
            new RejectionReport(metrics, announcer),
            new PodScope(
                config.namespaces(), applications::application, config.foreignPods(), podClient),
            clock),
        overrider -> SlotsReconciler.configure(overrider.withRetry(retry())));
    operator.register(
        new AgentReconciler(new AgentOrders(client, config.agents()), agents, announcer, clock),
        overrider -> AgentReconciler.configure(overrider.withRetry(retry())));
    operator.register(
        applications,
        overrider -> {
          overrider.withRetry(retry());
          if (!config.namespaces().isEmpty()) {
            overrider.settingNamespaces(config.namespaces());
          }
        });
    operator.register(
        new ScheduleReconciler(new ScheduledRuns(client), announcer, clock),
        overrider -> {
          overrider.withRetry(retry());
          if (!config.namespaces().isEmpty()) {
            overrider.settingNamespaces(config.namespaces());
          }
        });
    metrics.registerObjects(
        registry, applications::applications, plans::totalSlots, board::byProfile);
    pages.connect(new CachedFleet(nodes, board, applications::applications));
    AgentMetrics.register(registry, applications::applications, profiles::agentReports);
    return operator;
  }

  /** In a pod, the host name is the pod's. */
  private static String podName() {
    return Objects.requireNonNullElse(System.getenv("HOSTNAME"), "numaspark");
  }

  /** For ever: the framework's own gives up after half a minute, and an application would hang. */
  private static GenericRetry retry() {
    return new GenericRetry()
        .setInitialInterval(FIRST_RETRY.toMillis())
        .setIntervalMultiplier(2)
        .setMaxInterval(LONGEST_RETRY.toMillis())
        .withoutMaxAttempts();
  }
}
