package io.numaspark.controller.wiring;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.numaspark.controller.application.ApplicationFlow;
import io.numaspark.controller.application.AttemptFollower;
import io.numaspark.controller.application.AttemptPreparation;
import io.numaspark.controller.application.ProfileLookup;
import io.numaspark.controller.application.StartGate;
import io.numaspark.controller.apply.AgentOrders;
import io.numaspark.controller.apply.ClusterObjects;
import io.numaspark.controller.apply.ConnectObjects;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.apply.KueueQueue;
import io.numaspark.controller.apply.ScheduledRuns;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.apply.StartupTaint;
import io.numaspark.controller.apply.TrialRuns;
import io.numaspark.controller.apply.WorkloadQueue;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.metrics.AgentMetrics;
import io.numaspark.controller.metrics.CachedFleet;
import io.numaspark.controller.metrics.NodePages;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.metrics.PlanMetrics;
import io.numaspark.controller.metrics.StartMetrics;
import io.numaspark.controller.observe.DriverLog;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.observe.NamespaceQuotas;
import io.numaspark.controller.observe.ServedKinds;
import io.numaspark.controller.observe.ServedPodGroups;
import io.numaspark.controller.observe.TrimmedPods;
import io.numaspark.controller.profile.ProfilePlanning;
import io.numaspark.controller.reconcile.AgentReconciler;
import io.numaspark.controller.reconcile.ApplicationReconciler;
import io.numaspark.controller.reconcile.ConnectReconciler;
import io.numaspark.controller.reconcile.NodeCounting;
import io.numaspark.controller.reconcile.ProfileReconciler;
import io.numaspark.controller.reconcile.ScheduleReconciler;
import io.numaspark.controller.reconcile.SlotsReconciler;
import io.numaspark.controller.reconcile.TrialReconciler;
import io.numaspark.controller.slots.Gang;
import io.numaspark.controller.slots.RejectionJudge;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.store.DriverReports;
import io.numaspark.controller.store.EndedPods;
import io.numaspark.controller.store.FollowPace;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.ProfileAgents;
import io.numaspark.controller.store.QuotaGate;
import io.numaspark.controller.store.RejectionInbox;
import io.numaspark.controller.store.RestoringNodes;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.store.StartQueue;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.controller.store.UnseenPods;
import io.numaspark.controller.store.Withholding;
import io.numaspark.controller.trial.TrialFlow;
import io.numaspark.controller.trial.TrialSurroundings;
import io.numaspark.controller.watch.AgentWatches;
import io.numaspark.controller.watch.ApplicationPods;
import io.numaspark.controller.watch.ApplicationWatches;
import io.numaspark.controller.watch.ConnectWatches;
import io.numaspark.controller.watch.ProfileWatches;
import io.numaspark.controller.watch.SharingCloner;
import io.numaspark.controller.watch.SlotWatches;
import io.numaspark.controller.watch.TrialWatches;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.scheduling.KueueWorkload;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's parts, and in {@link #connect} who hears whom. Nothing runs before the operator is
 * started.
 *
 * <p>Each part gets what it needs when it is made. A loop among them is closed by a signal, and a
 * watch is read through its class, because the framework makes event sources after all parts.
 */
public final class OperatorAssembly {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorAssembly.class);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  private final OperatorConfig config;
  private final KubernetesClient client;
  private final OperatorMetrics metrics;
  private final Clock clock;

  // What is remembered between two reconciliations.
  private final PlanStore plans = new PlanStore();
  private final SlotBoard board = new SlotBoard();
  private final StartQueue queue;
  private final RejectionInbox rejections;
  private final ProfileAgents profileAgents;

  // What is watched.
  private final ApplicationWatches applications;
  private final ProfileWatches profiles = new ProfileWatches();
  private final SlotWatches slots;
  private final AgentWatches agents = new AgentWatches();
  private final ConnectWatches connects;
  private final TrialWatches trials = new TrialWatches();
  private final TrialLocks locks = new TrialLocks(trials::trials, trials::isLoaded);

  // What is done.
  private final EventRecorder events;
  private final ForeignParts foreign;
  private final DriverReports drivers = new DriverReports(new DriverRestClient()::executors);
  private final ApplicationFlow flow;
  private final TrialFlow trialFlow;
  private final Operator operator;

  /** Makes all parts and connects them. */
  public OperatorAssembly(
      OperatorConfig config,
      KubernetesClient client,
      PrometheusRegistry registry,
      OperatorMetrics metrics,
      Clock clock) {
    this.config = config;
    this.client = client;
    this.metrics = metrics;
    this.clock = clock;
    KubernetesClient podClient =
        new KubernetesClientBuilder()
            .withConfig(client.getConfiguration())
            .withKubernetesSerialization(TrimmedPods.serialization())
            .build();
    ApplicationPods pods = new ApplicationPods(podClient, client, new EndedPods());
    applications = new ApplicationWatches(pods, this::kueueIsServed);
    queue = new StartQueue(board::nodes, clock);
    RejectionJudge judge = new RejectionJudge(plans::onNode, applications::application);
    rejections = new RejectionInbox(judge::isOfKnownAttempt, clock);
    profileAgents = new ProfileAgents(agents);
    slots = new SlotWatches(config, podClient, rejections);
    connects = new ConnectWatches(podClient);
    events = new EventRecorder(client, clock, podName());
    foreign = ForeignParts.of(podClient, plans, agents, clock);
    flow = flow(pods);
    trialFlow =
        TrialFlow.of(
            trials,
            new TrialSurroundings(locks, board, plans, agents, config.plugin().jar().isPresent()),
            new TrialRuns(client),
            pods);
    operator = operator(registry);
    connect();
    metrics.registerObjects(
        registry, applications::applications, plans::totalSlots, board::byProfile);
    AgentMetrics.register(
        registry,
        applications::applications,
        profileAgents::reports,
        profileAgents::pinners,
        profileAgents::systemds);
  }

  /** Who hears whom, in the order of the table in docs/architecture.md. */
  private void connect() {
    plans.changes().listen(slots.trigger()::reconcileEach);
    plans.changes().listen(agents.trigger()::reconcileEach);
    board.changes().listen(queue::slotsChanged);
    board.changes().listen(profiles::slotsChanged);
    agents.reports().listen(applications::reconcileThoseOn);
    agents.reports().listen(profileAgents::reported);
    agents.reports().listen(slots.trigger()::reconcile);
    profileAgents.news().listen(profiles::agentChanged);
    queue.admissions().listen(applications::admitted);
    queue.expiries().listen(this::recordExpiry);
    drivers.answers().listen(applications::answered);
    applications.goneApplications().listen(flow::forget);
    trials.gone().listen(trialFlow::forget);
    locks.changes().listen(profiles.trigger()::reconcile);
    locks.changes().listen(agents::profileChanged);
  }

  private void recordExpiry(Gang.Application expired) {
    applications
        .application(expired.namespace(), expired.name())
        .ifPresent(found -> events.record(found, Announcement.promiseEnded()));
  }

  /** Whether its Workloads can be watched. The log says what to do if they cannot, and should. */
  private boolean kueueIsServed() {
    boolean served =
        config.kueue()
            && new ServedKinds(client).has(KueueWorkload.API_VERSION, KueueWorkload.KIND);
    if (config.kueue() && !served) {
      LOG.warn(
          "The API server serves no {} of {}: applications with the label {} wait; install Kueue, and restart the operator",
          KueueWorkload.KIND,
          KueueWorkload.API_VERSION,
          KueueWorkload.QUEUE);
    }
    return served;
  }

  private ApplicationFlow flow(ApplicationPods pods) {
    ApplicationRenderer renderer =
        new ApplicationRenderer(
            config.driverServiceAccount(), config.ui(), config.plugin(), config.grants());
    ProfileLookup lookup = new ProfileLookup(plans, applications::profiles);
    QuotaGate quotas =
        new QuotaGate(new NamespaceQuotas(client, clock)::in, applications::applications, clock);
    StartGate gate = new StartGate(board, queue, applications::applications, clock);
    WorkloadQueue kueue =
        config.kueue()
            ? new KueueQueue(client, applications::workload, applications::watchesWorkloads, clock)
            : WorkloadQueue.NONE;
    DriverLog logs = new DriverLog(client.getConfiguration());
    return new ApplicationFlow(
        new ClusterObjects(client),
        pods,
        new AttemptPreparation(
            renderer,
            lookup,
            quotas,
            gate,
            locks,
            kueue,
            new ServedPodGroups(new ServedKinds(client), clock)::apiVersion),
        new AttemptFollower(pods, drivers, logs, lookup, agents::executorReports),
        kueue,
        new FollowPace());
  }

  private Operator operator(PrometheusRegistry registry) {
    Operator made =
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
    made.register(
        profileReconciler(new PlanMetrics(registry, plans::plans)),
        settings -> ProfileWatches.configure(retrying(settings)));
    made.register(slotsReconciler(), settings -> SlotWatches.configure(retrying(settings)));
    made.register(agentReconciler(), settings -> AgentWatches.configure(retrying(settings)));
    made.register(
        applicationReconciler(new StartMetrics(registry, plans::profiles)),
        settings -> inNamespaces(retrying(settings)));
    made.register(
        new ScheduleReconciler(new ScheduledRuns(client), events, clock),
        settings -> inNamespaces(retrying(settings)));
    made.register(
        new ConnectReconciler(connects, new ConnectObjects(client), config.grants(), events, clock),
        settings -> inNamespaces(retrying(settings)));
    made.register(
        new TrialReconciler(trials, trialFlow, events, clock),
        settings -> inNamespaces(retrying(settings)));
    if (ForeignParts.areWanted(config)) {
      foreign.register(made, config, registry, events);
    }
    return made;
  }

  private ProfileReconciler profileReconciler(PlanMetrics planMetrics) {
    ProfilePlanning planning =
        new ProfilePlanning(
            plans, board, planMetrics, config.pinners(), profiles::nodes, profiles::topology);
    return new ProfileReconciler(profiles, planning, plans, locks, profileAgents, events, clock);
  }

  private SlotsReconciler slotsReconciler() {
    UnseenPods unseen = new UnseenPods(agents, !config.foreignPods());
    NodeCounting counting =
        new NodeCounting(slots, rejections, new Withholding(), unseen, agents, metrics, events);
    return new SlotsReconciler(
        slots, plans, counting, board, new SlotPublisher(client), new StartupTaint(client), clock);
  }

  private AgentReconciler agentReconciler() {
    AgentOrders orders = new AgentOrders(client, config.agents());
    return new AgentReconciler(agents, orders, plans, locks, new RestoringNodes(), events, clock);
  }

  private ApplicationReconciler applicationReconciler(StartMetrics starts) {
    return new ApplicationReconciler(
        applications, flow, new ClusterObjects(client), starts, events, clock);
  }

  /** The operator with its reconcilers and metrics. */
  public Operator operator() {
    return operator;
  }

  /** Pages of what its caches hold. */
  public NodePages pages() {
    return new NodePages(new CachedFleet(plans, agents, board, applications::applications));
  }

  private <P extends HasMetadata> void inNamespaces(ControllerConfigurationOverrider<P> settings) {
    if (!config.namespaces().isEmpty()) {
      settings.settingNamespaces(config.namespaces());
    }
  }

  /** For ever: the framework's own gives up after half a minute, and an application would hang. */
  static <P extends HasMetadata> ControllerConfigurationOverrider<P> retrying(
      ControllerConfigurationOverrider<P> settings) {
    return settings.withRetry(
        new GenericRetry()
            .setInitialInterval(FIRST_RETRY.toMillis())
            .setIntervalMultiplier(2)
            .setMaxInterval(LONGEST_RETRY.toMillis())
            .withoutMaxAttempts());
  }

  /** In a pod, the host name is the pod's. */
  private static String podName() {
    return Objects.requireNonNullElse(System.getenv("HOSTNAME"), "numaspark");
  }
}
