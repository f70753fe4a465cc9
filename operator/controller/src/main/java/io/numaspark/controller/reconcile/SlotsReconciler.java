package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.reconcile.PlanStore.NodePlan;
import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.slots.SlotBoard;
import io.numaspark.controller.slots.SlotBoard.NodeCount;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.controller.slots.Withholding;
import io.numaspark.controller.status.WithheldStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Keeps the slots of each node true: counts them whenever its plan, its own status or a pod on it
 * changes, and publishes the count if it is another one.
 *
 * <p>It works node by node and plans nothing, so that a pod costs the same in a large cluster as in
 * a small one. It is the only writer of slots.
 */
@ControllerConfiguration(
    name = "slots",
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public final class SlotsReconciler implements Reconciler<Node> {
  /** What happens faster is counted at once. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private static final int COUNTS_A_PERIOD = 4;

  private final SlotPublisher publisher;
  private final PlanStore plans;
  private final SlotBoard board;
  private final Withholding withholding;
  private final RejectionListener rejections;
  private final PodScope podScope;
  private final UnseenPods unseen;
  private final Clock clock;
  private final RejectionInbox inbox;
  private final PrimaryEvents<Node> planned = new PrimaryEvents<>("plans");
  private InformerEventSource<SparkNodeProfile, Node> profiles;
  private List<BoundPodSource> pods;

  /**
   * Whose pods are watched, and how.
   *
   * @param namespaces of applications; empty for all
   * @param applications those that this operator runs, by namespace and name
   * @param foreign whether all pods of the cluster are watched and counted
   * @param client sets the client that pods are watched with
   */
  public record PodScope(
      Set<String> namespaces,
      BiFunction<String, String, Optional<SparkApplication>> applications,
      boolean foreign,
      UnaryOperator<InformerEventSourceConfiguration.Builder<Pod>> client) {}

  /** Told once of each rejected executor. */
  @FunctionalInterface
  public interface RejectionListener {
    /**
     * An executor was rejected.
     *
     * @param withheld the state of its node after it
     * @param objects the node and its profile, if they exist
     */
    void rejected(Rejection rejection, Withheld withheld, List<HasMetadata> objects);
  }

  public SlotsReconciler(
      SlotPublisher publisher,
      NodeKnowledge nodes,
      SlotBoard board,
      RejectionListener rejections,
      PodScope podScope,
      Clock clock) {
    this.publisher = publisher;
    this.plans = nodes.plans();
    this.unseen = new UnseenPods(nodes.agents(), !podScope.foreign());
    this.board = board;
    this.withholding = new Withholding();
    this.rejections = rejections;
    this.podScope = podScope;
    this.clock = clock;
    RejectionJudge judge = new RejectionJudge(plans, podScope.applications());
    this.inbox = new RejectionInbox(judge::isOfKnownAttempt, clock);
    plans.onChange(changed -> changed.forEach(planned::lookAt));
    if (!podScope.foreign()) {
      nodes.agents().onChange(planned::lookAt);
    }
  }

  /** Settings of this controller that its annotation cannot say. */
  public static void configure(ControllerConfigurationOverrider<Node> settings) {
    settings
        .withItemStore(new TransformingItemStore<>(SlotNodes::trimmed))
        .withOnUpdateFilter(SlotNodes::slotsDiffer)
        .withRateLimiter(new LinearRateLimiter(PERIOD, COUNTS_A_PERIOD));
  }

  @Override
  public List<EventSource<?, Node>> prepareEventSources(EventSourceContext<Node> context) {
    profiles =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeProfile.class, Node.class)
                .withName("profiles")
                .withWatchAllNamespaces()
                .withOnAddFilter(profile -> false)
                .withOnUpdateFilter(SlotsReconciler::tellsOfOtherWithholding)
                .withSecondaryToPrimaryMapper(profile -> concernedBy(profile, context))
                .build(),
            context);
    pods = new ArrayList<>();
    pods.add(BoundPodSource.ours(podScope, context, inbox::look));
    if (podScope.foreign()) {
      pods.add(BoundPodSource.foreign(podScope, context));
    }
    planned.connect(context);
    List<EventSource<?, Node>> sources = new ArrayList<>(pods);
    sources.add(profiles);
    sources.add(planned);
    return sources;
  }

  private static boolean tellsOfOtherWithholding(SparkNodeProfile after, SparkNodeProfile before) {
    return !withheldIn(after).equals(withheldIn(before));
  }

  private static Map<String, Withheld> withheldIn(SparkNodeProfile profile) {
    return profile.getStatus() == null ? Map.of() : WithheldStatus.read(profile.getStatus());
  }

  /** Nodes that a profile's status says are withheld; all that have its slots if it is gone. */
  private Set<ResourceID> concernedBy(SparkNodeProfile profile, EventSourceContext<Node> context) {
    boolean exists =
        profiles
            .get(ResourceID.fromResource(profile))
            .filter(known -> known.getMetadata().getUid().equals(profile.getMetadata().getUid()))
            .isPresent();
    return exists
        ? withheldIn(profile).keySet().stream().map(ResourceID::new).collect(Collectors.toSet())
        : nodesWithSlotsOf(profile, context);
  }

  private static Set<ResourceID> nodesWithSlotsOf(
      SparkNodeProfile profile, EventSourceContext<Node> context) {
    String resource = ApiGroup.slotResource(profile.getMetadata().getName());
    return context
        .getPrimaryCache()
        .list()
        .filter(node -> SlotNodes.slotResources(node).contains(resource))
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  @Override
  public UpdateControl<Node> reconcile(Node node, Context<Node> context) {
    String name = node.getMetadata().getName();
    Instant now = clock.instant();
    plans.onNode(name).ifPresent(plan -> takeOver(name, plan.profile()));
    inbox.take(name).forEach(rejection -> withhold(rejection, node, now));
    withholding.prune(name, now);
    if (context.isPrimaryResourceDeleted()) {
      board.remove(name);
      unseen.forget(name);
      planned.lookAgainAt(name);
      return UpdateControl.noUpdate();
    }
    Optional<NodePlan> plan = plans.onNode(name);
    Map<String, Optional<Integer>> wanted = orphans(node, plan);
    Optional<NodeCount> count = plan.map(found -> count(node, found, now));
    count.ifPresent(
        found ->
            wanted.put(
                ApiGroup.slotResource(found.slots().profile()),
                Optional.of(found.slots().capacity())));
    publisher.publish(node, wanted);
    count.ifPresentOrElse(board::put, () -> board.remove(name));
    return count
        .flatMap(found -> found.slots().withheld())
        .map(
            withheld ->
                UpdateControl.<Node>noUpdate()
                    .rescheduleAfter(Duration.between(now, withheld.until()).plusMillis(1)))
        .orElseGet(UpdateControl::noUpdate);
  }

  private NodeCount count(Node node, NodePlan plan, Instant now) {
    String name = node.getMetadata().getName();
    List<Pod> bound = podsOn(node);
    return NodeCounter.count(
        name,
        plan,
        bound,
        unseen.on(name, plan.layout().nodeClass().machine(), bound, now),
        withholding.of(name, now));
  }

  private List<Pod> podsOn(Node node) {
    return pods.stream()
        .flatMap(source -> source.getSecondaryResources(node).stream())
        .filter(BoundPods::concernsSlots)
        .toList();
  }

  private void withhold(Rejection rejection, Node node, Instant now) {
    List<HasMetadata> objects = new ArrayList<>();
    objects.add(node);
    profiles.get(new ResourceID(rejection.profile())).ifPresent(objects::add);
    withholding
        .record(rejection, now)
        .ifPresent(withheld -> rejections.rejected(rejection, withheld, objects));
  }

  /**
   * Slots that have to leave the node: of profiles that are gone, and of those that were planned
   * without this node. Those of a profile that is not planned yet stay.
   */
  private Map<String, Optional<Integer>> orphans(Node node, Optional<NodePlan> plan) {
    Map<String, Optional<Integer>> orphans = new HashMap<>();
    for (String resource : SlotNodes.slotResources(node)) {
      String profile = resource.substring(ApiGroup.SLOT_RESOURCE_PREFIX.length());
      boolean exists = profiles.get(new ResourceID(profile)).isPresent();
      boolean here = plan.filter(found -> found.profile().equals(profile)).isPresent();
      if (!here && (!exists || plans.isPlanned(profile))) {
        orphans.put(resource, Optional.empty());
      }
    }
    return orphans;
  }

  /**
   * What an earlier operator withheld stays withheld, and what another one withholds that runs
   * beside this one: each judges the rejections of its own applications, and all write one count.
   */
  private void takeOver(String node, String profile) {
    profiles
        .get(new ResourceID(profile))
        .map(SlotsReconciler::withheldIn)
        .map(told -> told.get(node))
        .ifPresent(told -> withholding.restore(node, told));
  }
}
