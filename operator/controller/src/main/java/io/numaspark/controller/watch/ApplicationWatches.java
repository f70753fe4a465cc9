package io.numaspark.controller.watch;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;
import static io.numaspark.api.v1alpha1.SparkApplicationStatus.waits;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.event.Signal;
import io.numaspark.controller.observe.AttemptPods.GoneApplication;
import io.numaspark.controller.observe.DriverRestClient.Driver;
import io.numaspark.controller.slots.Gang;
import io.numaspark.render.scheduling.KueueWorkload;
import io.numaspark.render.text.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is watched for applications: themselves, their pods and the profiles that they wait for. */
public final class ApplicationWatches {

  /** States in which an attempt is due or the profile was found unfit. */
  private static final Set<State> WANTING_A_PROFILE =
      Set.of(State.PENDING_RERUN, State.SUBMISSION_FAILED);

  private final ApplicationPods pods;
  private final Wakes wakes = new Wakes();
  private final Signal<GoneApplication> goneApplications = new Signal<>();
  private volatile IndexerResourceCache<SparkApplication> applications;
  private volatile InformerEventSource<SparkNodeProfile, SparkApplication> profiles;
  private final BooleanSupplier workloadsServed;
  private volatile InformerEventSource<GenericKubernetesResource, SparkApplication> workloads;

  /**
   * The watches.
   *
   * @param workloadsServed whether the Workloads of Kueue are wanted, and the API server has them;
   *     asked when the event sources are made
   */
  public ApplicationWatches(ApplicationPods pods, BooleanSupplier workloadsServed) {
    this.pods = pods;
    this.workloadsServed = workloadsServed;
  }

  /** Emitted when an application was deleted, and for pods of one that does not exist. */
  public Signal<GoneApplication> goneApplications() {
    return goneApplications;
  }

  /** Makes the event sources. */
  public List<EventSource<?, SparkApplication>> prepare(
      EventSourceContext<SparkApplication> context) {
    applications = context.getPrimaryCache();
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
    List<EventSource<?, SparkApplication>> sources =
        new ArrayList<>(List.of(pods.source(context, this::applicationOf), profiles, wakes));
    if (workloadsServed.getAsBoolean()) {
      workloads = workloads(context);
      sources.add(workloads);
    }
    return sources;
  }

  private static InformerEventSource<GenericKubernetesResource, SparkApplication> workloads(
      EventSourceContext<SparkApplication> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(
                new GroupVersionKind(KueueWorkload.API_VERSION, KueueWorkload.KIND),
                SparkApplication.class)
            .withName("workloads")
            .withLabelSelector(Labels.MANAGED_BY + "=" + Labels.MANAGER)
            .withNamespacesInheritedFromController()
            .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(SparkApplication.class))
            .build(),
        context);
  }

  /** Whether Workloads of Kueue are watched. */
  public boolean watchesWorkloads() {
    return workloads != null;
  }

  /** The Workload of an application; its owner is not looked at. */
  public Optional<GenericKubernetesResource> workload(SparkApplication application) {
    return workloads == null
        ? Optional.empty()
        : workloads.get(
            new ResourceID(
                KueueWorkload.name(application.getMetadata().getName()),
                application.getMetadata().getNamespace()));
  }

  /** Events from memory, and the deletions of applications. */
  private final class Wakes extends SimpleInboundEventSource<SparkApplication>
      implements ResourceEventAware<SparkApplication> {
    Wakes() {
      super("wakes");
    }

    /** Its pods may have gone before it, and would not bring this any more. */
    @Override
    public void onResourceDeleted(SparkApplication application) {
      goneApplications.emit(
          new GoneApplication(
              application.getMetadata().getNamespace(),
              application.getMetadata().getName(),
              Optional.ofNullable(application.getStatus())
                  .map(SparkApplicationStatus::sparkApplicationId)));
    }
  }

  /** Has an application reconciled, because it may start now. */
  public void admitted(Gang.Application application) {
    wakes.propagateEvent(new ResourceID(application.name(), application.namespace()));
  }

  /** Has an application reconciled, because its driver has answered. */
  public void answered(Driver driver) {
    wakes.propagateEvent(new ResourceID(driver.application(), driver.namespace()));
  }

  /** Has the applications reconciled that have executors on a node. */
  public void reconcileThoseOn(String node) {
    pods.executorsOn(node).map(ApplicationWatches::id).distinct().forEach(wakes::propagateEvent);
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

  /** The profiles that are known now. */
  public Stream<SparkNodeProfile> profiles() {
    return profiles == null ? Stream.of() : profiles.list();
  }

  /**
   * The application of a pod. Every version of every pod passes here, and nowhere else: so this is
   * where failures and ends are noticed, and that an application was deleted before its attempt had
   * ended.
   */
  private Set<ResourceID> applicationOf(Pod pod) {
    ResourceID id = id(pod);
    String attempt = pod.getMetadata().getLabels().get(Labels.SPARK_APP_SELECTOR);
    Optional<SparkApplication> known = applications.get(id);
    if (known.filter(found -> isFollowed(found, attempt)).isPresent()) {
      pods.see(known.get(), pod);
    } else if (known.isEmpty() && attempt != null) {
      goneApplications.emit(
          new GoneApplication(
              pod.getMetadata().getNamespace(), id.getName(), Optional.of(attempt)));
    }
    return Set.of(id);
  }

  private static ResourceID id(Pod pod) {
    return new ResourceID(
        pod.getMetadata().getLabels().get(Labels.APPLICATION), pod.getMetadata().getNamespace());
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
                    || waits(application.getStatus())
                    || WANTING_A_PROFILE.contains(stateOf(application.getStatus())))
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }
}
