package io.numaspark.controller.reconcile;

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
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.apply.ApplicationSubmitter;
import io.numaspark.controller.apply.SubmissionResult;
import io.numaspark.controller.apply.SubmissionResult.Delayed;
import io.numaspark.controller.apply.SubmissionResult.Refused;
import io.numaspark.controller.apply.SubmissionResult.Submitted;
import io.numaspark.controller.observe.DriverLog;
import io.numaspark.controller.observe.DriverPods;
import io.numaspark.controller.observe.DriverRestClient;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import io.numaspark.controller.status.ApplicationStatusAssembler;
import io.numaspark.controller.status.ExecutorObservation;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.Labels;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.ApplicationRenderer;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs an application: writes the intent, creates the driver, and follows it to its end.
 *
 * <pre>
 *   (none) --rendered--> SUBMITTED --pod runs--> RUNNING --exit 0--> COMPLETED
 *     |  \                  |  \                    \----else-----> FAILED
 *     |   \--waits--> PENDING   \--API refuses--> SUBMISSION_FAILED --tried again--> SUBMITTED
 *     \--contradiction--> SUBMISSION_FAILED
 * </pre>
 *
 * <p>Names are deterministic and the intent stands in the status before anything is created, so
 * that an operator that dies at any point neither loses nor doubles a driver. It has no finalizer:
 * owner references delete what was created.
 */
@ControllerConfiguration(name = "application")
public final class ApplicationReconciler implements Reconciler<SparkApplication> {
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration WHILE_EXECUTORS_START = Duration.ofSeconds(3);
  private static final Duration WHILE_FORMER_RUN_ENDS = Duration.ofSeconds(1);
  private static final Duration WHILE_WAITING = Duration.ofSeconds(15);
  private static final Duration WHILE_OPERATOR_STARTS = Duration.ofSeconds(1);

  private final ApplicationRenderer renderer;
  private final ApplicationSubmitter submitter;
  private final DriverPods driverPods;
  private final DriverRestClient drivers;
  private final DriverLog logs;
  private final PlanStore plans;
  private final Clock clock;
  private InformerEventSource<Pod, SparkApplication> pods;
  private InformerEventSource<SparkNodeProfile, SparkApplication> profiles;
  private IndexerResourceCache<SparkApplication> applications;

  public ApplicationReconciler(
      ApplicationRenderer renderer,
      ApplicationSubmitter submitter,
      DriverPods driverPods,
      DriverRestClient drivers,
      DriverLog logs,
      PlanStore plans,
      Clock clock) {
    this.renderer = renderer;
    this.submitter = submitter;
    this.driverPods = driverPods;
    this.drivers = drivers;
    this.logs = logs;
    this.plans = plans;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, SparkApplication>> prepareEventSources(
      EventSourceContext<SparkApplication> context) {
    applications = context.getPrimaryCache();
    pods =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, SparkApplication.class)
                .withName("pods")
                .withLabelSelector(
                    Labels.APPLICATION + "," + Labels.MANAGED_BY + "=" + Labels.MANAGER)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(
                    pod ->
                        Set.of(
                            new ResourceID(
                                pod.getMetadata().getLabels().get(Labels.APPLICATION),
                                pod.getMetadata().getNamespace())))
                .build(),
            context);
    profiles =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeProfile.class, SparkApplication.class)
                .withName("profiles")
                // Cluster-scoped, whatever namespaces the controller is restricted to.
                .withWatchAllNamespaces()
                .withSecondaryToPrimaryMapper(
                    profile -> waitingFor(profile.getMetadata().getName()))
                .build(),
            context);
    return List.of(pods, profiles);
  }

  private Set<ResourceID> waitingFor(String profile) {
    return applications
        .list(application -> profile.equals(application.getSpec().nodeProfile()))
        .filter(application -> state(application) == null || state(application) == State.PENDING)
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** The applications that are known now. */
  public Stream<SparkApplication> applications() {
    return applications == null ? Stream.of() : applications.list();
  }

  /** The driver and executor pods that are known now. */
  public Stream<Pod> pods() {
    return pods == null ? Stream.of() : pods.list();
  }

  @Override
  public UpdateControl<SparkApplication> reconcile(
      SparkApplication application, Context<SparkApplication> context) {
    State state = state(application);
    if (application.isMarkedForDeletion() || (state != null && state.isFinal())) {
      return UpdateControl.noUpdate();
    }
    ApplicationIdentity identity = ApplicationIdentity.of(application);
    ApplicationStatusAssembler assembler =
        new ApplicationStatusAssembler(application, clock.instant());
    Optional<Pod> driver = driver(application, identity);
    if (driver.isPresent()) {
      return follow(application, identity, driver.get(), assembler);
    }
    if (wasCreated(application)) {
      return update(application, assembler.driverLost());
    }
    return start(application, state == State.SUBMITTED, assembler);
  }

  private UpdateControl<SparkApplication> start(
      SparkApplication application, boolean intended, ApplicationStatusAssembler assembler) {
    String profile = application.getSpec().nodeProfile();
    Optional<ProfileContext> planned = profile == null ? Optional.empty() : plans.context(profile);
    if (profile != null && planned.isEmpty()) {
      return waitForProfile(application, profile, assembler);
    }
    RenderResult rendered = renderer.render(application, planned);
    if (rendered instanceof Refusal refusal) {
      return update(application, assembler.submissionFailed(refusal.reason(), refusal.message()));
    }
    Manifests manifests = (Manifests) rendered;
    if (!intended) {
      return update(application, assembler.submitting(manifests)).rescheduleAfter(AT_ONCE);
    }
    SubmissionResult result = submitter.submit(manifests);
    if (result instanceof Delayed delayed) {
      return update(application, assembler.delayed(delayed.message()))
          .rescheduleAfter(WHILE_FORMER_RUN_ENDS);
    }
    if (result instanceof Refused refused) {
      return update(application, assembler.submissionFailed(refused.reason(), refused.message()))
          .rescheduleAfter(WHILE_WAITING);
    }
    return update(
        application,
        assembler.observed(((Submitted) result).driver(), manifests.uiPort(), List.of(), logs));
  }

  private UpdateControl<SparkApplication> waitForProfile(
      SparkApplication application, String profile, ApplicationStatusAssembler assembler) {
    Optional<SparkNodeProfile> found = profiles.get(new ResourceID(profile));
    if (found.isEmpty()) {
      return update(
              application,
              assembler.pending(
                  "ProfileNotFound",
                  "spec.nodeProfile: there is no SparkNodeProfile "
                      + profile
                      + "; create it, or name one of: "
                      + profiles
                          .list()
                          .map(p -> p.getMetadata().getName())
                          .sorted()
                          .collect(Collectors.joining(", "))))
          .rescheduleAfter(WHILE_WAITING);
    }
    if (!plans.isPlanned(profile)) {
      return UpdateControl.<SparkApplication>noUpdate().rescheduleAfter(WHILE_OPERATOR_STARTS);
    }
    return update(
            application,
            assembler.pending(
                "ProfileNotReady",
                "SparkNodeProfile "
                    + profile
                    + " has no executor slot: "
                    + readyMessage(found.get())))
        .rescheduleAfter(WHILE_WAITING);
  }

  private UpdateControl<SparkApplication> follow(
      SparkApplication application,
      ApplicationIdentity identity,
      Pod driver,
      ApplicationStatusAssembler assembler) {
    List<Pod> executorPods =
        pods.list(identity.namespace(), pod -> isExecutorOf(pod, identity)).toList();
    int uiPort = ApplicationRenderer.uiPort(application.getSpec());
    ReportedExecutors reported = report(application, driver, uiPort, identity);
    List<ExecutorInfo> before =
        application.getStatus() == null ? null : application.getStatus().executors();
    List<ExecutorInfo> executors =
        new ExecutorObservation(machines(application), expectedCpus(application))
            .observe(executorPods, reported, before);
    SparkApplicationStatus status = assembler.observed(driver, uiPort, executors, logs);
    UpdateControl<SparkApplication> control = update(application, status);
    return status.applicationState().state() == State.RUNNING
            && awaitsReports(application, executors)
        ? control.rescheduleAfter(WHILE_EXECUTORS_START)
        : control;
  }

  private ReportedExecutors report(
      SparkApplication application, Pod driver, int uiPort, ApplicationIdentity identity) {
    if (application.getSpec().nodeProfile() == null) {
      return new NoAnswer("an unpinned application is not asked");
    }
    if (!"Running".equals(driver.getStatus().getPhase()) || driver.getStatus().getPodIP() == null) {
      return new NoAnswer("the driver is not running");
    }
    if (!ApplicationRenderer.isUiEnabled(application.getSpec())) {
      return new NoAnswer(
          "spark.ui.enabled is false: the driver's REST API, which tells where executors run, is off");
    }
    return drivers.executors(driver.getStatus().getPodIP(), uiPort, identity.names().sparkAppId());
  }

  private static boolean awaitsReports(SparkApplication application, List<ExecutorInfo> executors) {
    return application.getSpec().nodeProfile() != null
        && executors.stream()
            .anyMatch(info -> "Running".equals(info.phase()) && info.cpus() == null);
  }

  private Map<String, Machine> machines(SparkApplication application) {
    String profile = application.getSpec().nodeProfile();
    return profile == null ? Map.of() : plans.machines(profile);
  }

  /** CPUs of one executor as submitted: the profile may have changed since. */
  private static int expectedCpus(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    String cpus =
        status == null || status.executorShape() == null ? null : status.executorShape().cpus();
    return cpus == null ? 0 : Integer.parseInt(cpus);
  }

  /**
   * The driver pod from the cache, or from the API server when the cache may lag behind our own
   * write.
   */
  private Optional<Pod> driver(SparkApplication application, ApplicationIdentity identity) {
    String name = identity.names().driverPod();
    Optional<Pod> found = pods.get(new ResourceID(name, identity.namespace()));
    if (found.isEmpty() && wasCreated(application)) {
      found = driverPods.find(identity.namespace(), name);
    }
    return found.filter(pod -> isOwned(pod, identity.uid()));
  }

  private static boolean isOwned(Pod pod, String uid) {
    return pod.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> uid.equals(owner.getUid()));
  }

  private static boolean isExecutorOf(Pod pod, ApplicationIdentity identity) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return Labels.ROLE_EXECUTOR.equals(labels.get(Labels.SPARK_ROLE))
        && identity.names().sparkAppId().equals(labels.get(Labels.SPARK_APP_SELECTOR));
  }

  private static boolean wasCreated(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    return status != null && status.driverInfo() != null && status.driverInfo().podUid() != null;
  }

  private static State state(SparkApplication application) {
    SparkApplicationStatus status = application.getStatus();
    return status == null || status.applicationState() == null
        ? null
        : status.applicationState().state();
  }

  private static String readyMessage(SparkNodeProfile profile) {
    if (profile.getStatus() == null || profile.getStatus().conditions() == null) {
      return "it is not planned yet";
    }
    return profile.getStatus().conditions().stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .map(condition -> condition.getMessage())
        .findFirst()
        .orElse("it is not planned yet");
  }

  private static UpdateControl<SparkApplication> update(
      SparkApplication application, SparkApplicationStatus status) {
    return StatusUpdate.of(application, new SparkApplication(), status);
  }
}
