package io.numaspark.controller.reconcile;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.apply.ObjectStore;
import io.numaspark.controller.lifecycle.StartGate;
import io.numaspark.controller.metrics.StartMetrics;
import io.numaspark.controller.observe.DriverLog;
import io.numaspark.controller.observe.DriverPods;
import io.numaspark.controller.observe.DriverReports;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.observe.FailedExecutors;
import io.numaspark.controller.observe.LastDrivers;
import io.numaspark.controller.reconcile.ApplicationFlow.Parts;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.status.EventReason;
import io.numaspark.controller.status.ExecutorObservation;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.Labels;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings the events of applications, their pods and their profiles to {@link ApplicationFlow}, and
 * keeps the framework's cache up with the statuses that it writes.
 *
 * <p>It has no finalizer: owner references delete what was created.
 */
@ControllerConfiguration(name = "application")
public final class ApplicationReconciler implements Reconciler<SparkApplication> {

  /** States in which the profile is waited for or was found unfit. */
  private static final Set<State> WANTING_A_PROFILE =
      Set.of(State.PENDING, State.RESUMING, State.PENDING_RERUN, State.SUBMISSION_FAILED);

  private static final String PROMISE_ENDED =
      "not all executors have come in the 15 minutes for which their slots were kept: others may"
          + " take the slots now, and executors that still come compete for them; see why the driver"
          + " does not run or does not ask for executors (kubectl describe pod, kubectl logs)";

  private final ApplicationRenderer renderer;
  private final Tools tools;
  private final PlanStore plans;
  private final NodeAgents agents;
  private final StartGate gate;
  private final Clock clock;
  private final FailedExecutors failed = new FailedExecutors(ExecutorObservation::isFailed);
  private final LastDrivers ended = new LastDrivers();
  private final ApplicationEvents wakes = new ApplicationEvents("wakes", this::deleted);
  private InformerEventSource<Pod, SparkApplication> pods;
  private IndexerResourceCache<SparkApplication> applications;
  private Parts parts;

  /**
   * What reaches out of the operator.
   *
   * @param podClient sets the client that pods are watched with
   */
  public record Tools(
      UnaryOperator<InformerEventSourceConfiguration.Builder<Pod>> podClient,
      ObjectStore objects,
      DriverPods driverPods,
      DriverRestClient drivers,
      DriverLog logs,
      Announcer announcer,
      StartMetrics starts) {}

  /**
   * A reconciler.
   *
   * @param gate asked before a driver is started
   */
  public ApplicationReconciler(
      ApplicationRenderer renderer, Tools tools, NodeKnowledge nodes, StartGate gate, Clock clock) {
    this.renderer = renderer;
    this.tools = tools;
    this.plans = nodes.plans();
    this.agents = nodes.agents();
    this.gate = gate;
    this.clock = clock;
    agents.onChange(this::wakeThoseOn);
  }

  @Override
  public List<EventSource<?, SparkApplication>> prepareEventSources(
      EventSourceContext<SparkApplication> context) {
    applications = context.getPrimaryCache();
    pods =
        new InformerEventSource<>(
            tools
                .podClient()
                .apply(InformerEventSourceConfiguration.from(Pod.class, SparkApplication.class))
                .withName("pods")
                .withLabelSelector(
                    Labels.APPLICATION + "," + Labels.MANAGED_BY + "=" + Labels.MANAGER)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(this::applicationOf)
                .build(),
            context);
    InformerEventSource<SparkNodeProfile, SparkApplication> profiles =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeProfile.class, SparkApplication.class)
                .withName("profiles")
                // Cluster-scoped, whatever namespaces the controller is restricted to.
                .withWatchAllNamespaces()
                .withSecondaryToPrimaryMapper(
                    profile -> waitingFor(profile.getMetadata().getName()))
                .build(),
            context);
    ProfileLookup lookup = new PlannedProfiles(plans, profiles);
    CachedPods cachedPods = new CachedPods(pods, failed, ended, tools.driverPods());
    parts =
        new Parts(
            tools.objects(),
            cachedPods,
            new AttemptPreparation(renderer, lookup, gate),
            new AttemptFollower(
                cachedPods,
                new DriverReports(
                    tools.drivers(), driver -> wake(driver.namespace(), driver.application())),
                tools.logs(),
                lookup,
                agents::reports),
            new FollowPace(),
            this::changed);
    return List.of(pods, profiles, wakes);
  }

  private void changed(SparkApplication application, SparkApplicationStatus before) {
    tools.starts().changed(application, before, clock.instant());
    tools.announcer().tell(application, Announcement.of(before, application.getStatus()));
  }

  /**
   * The application of a pod. Every version of every pod passes here, and nowhere else: so this is
   * where failures and ends are noticed, and that an application was deleted before its attempt had
   * ended.
   */
  private Set<ResourceID> applicationOf(Pod pod) {
    ResourceID application =
        new ResourceID(
            pod.getMetadata().getLabels().get(Labels.APPLICATION),
            pod.getMetadata().getNamespace());
    String attempt = pod.getMetadata().getLabels().get(Labels.SPARK_APP_SELECTOR);
    Optional<SparkApplication> known = applications.get(application);
    if (known.filter(found -> isFollowed(found, attempt)).isPresent()) {
      failed.see(pod);
      ended.see(known.get(), pod);
    } else if (known.isEmpty() && attempt != null) {
      parts.forget(application.getNamespace().orElseThrow(), attempt);
    }
    return Set.of(application);
  }

  /** Its pods may have gone before it, and would not tell any more. */
  private void deleted(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    if (status != null && status.sparkApplicationId() != null) {
      parts.forget(application.getMetadata().getNamespace(), status.sparkApplicationId());
    }
  }

  private static boolean isFollowed(SparkApplication application, String attempt) {
    SparkApplicationStatus status = application.getStatus();
    return status != null
        && status.terminationTime() == null
        && status.sparkApplicationId() != null
        && status.sparkApplicationId().equals(attempt);
  }

  private Set<ResourceID> waitingFor(String profile) {
    return applications
        .list(application -> profile.equals(application.getSpec().nodeProfile()))
        .filter(
            application ->
                stateOf(application.getStatus()) == null
                    || WANTING_A_PROFILE.contains(stateOf(application.getStatus())))
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** Looks at an application soon, for example because a gate would let it start now. */
  public void wake(String namespace, String name) {
    wakes.propagateEvent(new ResourceID(name, namespace));
  }

  /** Says that the slots that an application was promised are for others now. */
  public void tellPromiseEnded(String namespace, String name) {
    application(namespace, name)
        .ifPresent(
            application ->
                tools
                    .announcer()
                    .tell(
                        application,
                        Announcement.warning(EventReason.PROMISE_ENDED, PROMISE_ENDED)));
  }

  /** Before the pods are read there is nobody to wake: each application is looked at then. */
  private void wakeThoseOn(String node) {
    if (pods == null || !pods.isRunning()) {
      return;
    }
    pods()
        .filter(pod -> node.equals(pod.getSpec().getNodeName()))
        .filter(
            pod ->
                Labels.ROLE_EXECUTOR.equals(pod.getMetadata().getLabels().get(Labels.SPARK_ROLE)))
        .map(
            pod ->
                new ResourceID(
                    pod.getMetadata().getLabels().get(Labels.APPLICATION),
                    pod.getMetadata().getNamespace()))
        .distinct()
        .forEach(wakes::propagateEvent);
  }

  /** The applications that are known now. */
  public Stream<SparkApplication> applications() {
    return applications == null ? Stream.of() : applications.list();
  }

  /** One of them. */
  public Optional<SparkApplication> application(String namespace, String name) {
    return applications == null
        ? Optional.empty()
        : applications.get(new ResourceID(name, namespace));
  }

  /** The driver and executor pods that are known now. */
  public Stream<Pod> pods() {
    return pods == null ? Stream.of() : pods.list();
  }

  @Override
  public UpdateControl<SparkApplication> reconcile(
      SparkApplication application, Context<SparkApplication> context) {
    ApplicationFlow flow =
        new ApplicationFlow(
            parts, (read, status) -> write(read, status, context), application, clock.instant());
    UpdateControl<SparkApplication> control = UpdateControl.noUpdate();
    flow.advance().ifPresent(control::rescheduleAfter);
    return control;
  }

  /** The framework would only learn of the new status by its watch, and decide on the old one. */
  private SparkApplication write(
      SparkApplication read, SparkApplicationStatus status, Context<SparkApplication> context) {
    SparkApplication written = tools.objects().writeStatus(read, status);
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .handleRecentResourceUpdate(ResourceID.fromResource(read), written, read);
    return written;
  }
}
