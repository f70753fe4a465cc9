package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Node;
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
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.metrics.PlanMetrics;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.observe.TopologyParts;
import io.numaspark.controller.reconcile.ProfileAgents.Reported;
import io.numaspark.controller.slots.NodeSlots;
import io.numaspark.controller.slots.SlotBoard;
import io.numaspark.controller.slots.SlotBoard.NodeCount;
import io.numaspark.controller.status.ConditionAnnouncements;
import io.numaspark.controller.status.KnobReport;
import io.numaspark.controller.status.ProfileStatusAssembler;
import io.numaspark.render.profile.NodeReason;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Plans a profile whenever it, the labels of a node or a topology change; {@link SlotsReconciler}
 * publishes the slots.
 *
 * <p>It has no finalizer, so that a profile can always be deleted. The numbers of slots in the
 * status follow the board; those in use are in the metrics only, so that executors that come and go
 * cost no write.
 */
@ControllerConfiguration(name = "profile", triggerReconcilerOnAllEvents = true)
public final class ProfileReconciler implements Reconciler<SparkNodeProfile> {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int PLANS_A_PERIOD = 4;

  private final PlanStore plans;
  private final SlotBoard board;
  private final ProfileAgents agents;
  private final PlanMetrics metrics;
  private final Announcer announcer;
  private final Clock clock;
  private final Map<String, Remembered> remembered = new ConcurrentHashMap<>();
  private final PrimaryEvents<SparkNodeProfile> inbound = new PrimaryEvents<>("slots-and-claims");
  private InformerEventSource<Node, SparkNodeProfile> nodes;
  private InformerEventSource<SparkNodeTopology, SparkNodeProfile> topologies;

  /** A plan and what it was made from. */
  private record Remembered(PlanInput input, ProfilePlan plan) {}

  /**
   * What a plan depends on.
   *
   * @param topologies edition of the topology of each matched node; empty where there is none
   */
  private record PlanInput(String uid, Long generation, Map<String, String> topologies) {}

  public ProfileReconciler(
      NodeKnowledge knowledge,
      SlotBoard board,
      PlanMetrics metrics,
      Announcer announcer,
      Clock clock) {
    NodeAgents nodeAgents = knowledge.agents();
    this.plans = knowledge.plans();
    this.metrics = metrics;
    this.announcer = announcer;
    this.agents = new ProfileAgents(nodeAgents);
    this.board = board;
    this.clock = clock;
    board.onChange(
        change -> {
          if (change.concernsStatus()) {
            change.profiles().forEach(this::again);
          }
        });
    nodeAgents.onChange(
        node -> {
          if (agents.isNews(node)) {
            inbound.lookAtAll();
          }
        });
  }

  /** What the agents of each profile's nodes say. */
  public Map<String, KnobReport> agentReports() {
    return agents.reports();
  }

  /** Settings of this controller that its annotation cannot say. */
  public static void configure(ControllerConfigurationOverrider<SparkNodeProfile> settings) {
    settings.withRateLimiter(new LinearRateLimiter(PERIOD, PLANS_A_PERIOD));
  }

  private void again(String profile) {
    inbound.lookAt(profile);
  }

  @Override
  public List<EventSource<?, SparkNodeProfile>> prepareEventSources(
      EventSourceContext<SparkNodeProfile> context) {
    nodes =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Node.class, SparkNodeProfile.class)
                .withName("nodes")
                .withSecondaryToPrimaryMapper(node -> everyProfile(context))
                .withItemStore(new TransformingItemStore<>(SlotNodes::trimmed))
                .withOnUpdateFilter(SlotNodes::labelsDiffer)
                .build(),
            context);
    topologies =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeTopology.class, SparkNodeProfile.class)
                .withName("topologies")
                .withSecondaryToPrimaryMapper(topology -> everyProfile(context))
                .withItemStore(new TransformingItemStore<>(TopologyParts::hardware))
                .withOnUpdateFilter((one, other) -> !edition(one).equals(edition(other)))
                .build(),
            context);
    inbound.connect(context);
    return List.of(nodes, topologies, inbound);
  }

  /** Profiles are few; which of them a node concerns is decided when they are planned. */
  private static Set<ResourceID> everyProfile(EventSourceContext<SparkNodeProfile> context) {
    return context
        .getPrimaryCache()
        .list()
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  @Override
  public UpdateControl<SparkNodeProfile> reconcile(
      SparkNodeProfile profile, Context<SparkNodeProfile> context) {
    String name = profile.getMetadata().getName();
    List<SparkNodeProfile> others =
        context
            .getPrimaryCache()
            .list()
            .filter(other -> !other.getMetadata().getName().equals(name))
            .toList();
    if (context.isPrimaryResourceDeleted() || profile.isMarkedForDeletion()) {
      plans.remove(name);
      remembered.remove(name);
      agents.forget(name);
      tell(others);
      inbound.lookAgainAt(name);
      return UpdateControl.noUpdate();
    }
    if (!plans.isPlannedAs(profile)) {
      tell(others);
    }
    try {
      Reported reported = plan(profile, others);
      UpdateControl<SparkNodeProfile> control = written(profile, reported.status());
      Instant now = clock.instant();
      reported
          .again()
          .ifPresent(again -> control.rescheduleAfter(Duration.between(now, again).plusMillis(1)));
      return control;
    } catch (IllegalArgumentException e) {
      plans.putInvalid(profile);
      agents.forget(name);
      return written(
          profile, ProfileStatusAssembler.invalid(profile, e.getMessage(), clock.instant()));
    }
  }

  private UpdateControl<SparkNodeProfile> written(
      SparkNodeProfile profile, SparkNodeProfileStatus status) {
    announcer.tell(profile, ConditionAnnouncements.ofProfile(profile.getStatus(), status));
    return StatusUpdate.of(profile, new SparkNodeProfile(), status);
  }

  /** What one profile selects, another one may get or lose. */
  private void tell(List<SparkNodeProfile> others) {
    others.forEach(other -> again(other.getMetadata().getName()));
  }

  private Reported plan(SparkNodeProfile profile, List<SparkNodeProfile> others) {
    String name = profile.getMetadata().getName();
    List<Node> selected = nodes.list(NodeOwnership.selects(profile)).toList();
    List<Unusable> unusable = new ArrayList<>();
    List<MatchedNode> matched = new ArrayList<>();
    Map<String, Predicate<Node>> claims = olderClaims(profile, others);
    for (Node node : selected) {
      String nodeName = node.getMetadata().getName();
      Optional<String> claimant =
          claims.entrySet().stream()
              .filter(claim -> claim.getValue().test(node))
              .map(Map.Entry::getKey)
              .findFirst();
      if (claimant.isPresent()) {
        unusable.add(
            new Unusable(
                nodeName,
                NodeReason.NODE_HAS_ANOTHER_PROFILE,
                "the older profile " + claimant.get() + " selects this node too",
                "make the selectors disjoint"));
      } else {
        matched.add(new MatchedNode(nodeName, topologies.get(new ResourceID(nodeName))));
      }
    }
    ProfilePlan plan = remembered(profile, matched);
    unusable.addAll(plan.unusable());
    plans.put(profile, plan);
    List<NodeSlots> counted = board.nodes(name).stream().map(NodeCount::slots).toList();
    Instant now = clock.instant();
    return agents.report(
        profile,
        ProfileStatusAssembler.planned(profile, selected.size(), plan, unusable, counted, now),
        matched.stream().map(MatchedNode::name).toList(),
        now);
  }

  /** Planning is what costs, and most events do not change what it depends on. */
  private ProfilePlan remembered(SparkNodeProfile profile, List<MatchedNode> matched) {
    Map<String, String> topologyVersions = new HashMap<>();
    matched.forEach(
        node ->
            topologyVersions.put(
                node.name(), node.topology().map(ProfileReconciler::edition).orElse("")));
    PlanInput input =
        new PlanInput(
            profile.getMetadata().getUid(),
            profile.getMetadata().getGeneration(),
            topologyVersions);
    Remembered known = remembered.get(profile.getMetadata().getName());
    if (known != null && known.input().equals(input)) {
      return known.plan();
    }
    ProfilePlan plan = metrics.timed(() -> ProfilePlanner.plan(profile.getSpec(), matched));
    remembered.put(profile.getMetadata().getName(), new Remembered(input, plan));
    return plan;
  }

  /** Of its spec: what an agent sees changes the status every minute, and no plan. */
  private static String edition(SparkNodeTopology topology) {
    return topology.getMetadata().getUid() + "/" + topology.getMetadata().getGeneration();
  }

  /** What each older profile selects, the oldest first; made once for all nodes. */
  private static Map<String, Predicate<Node>> olderClaims(
      SparkNodeProfile profile, List<SparkNodeProfile> others) {
    Map<String, Predicate<Node>> claims = new LinkedHashMap<>();
    others.stream()
        .filter(other -> ProfilePlanner.OLDEST_FIRST.compare(other, profile) < 0)
        .sorted(ProfilePlanner.OLDEST_FIRST)
        .forEach(other -> claims.put(other.getMetadata().getName(), NodeOwnership.claim(other)));
    return claims;
  }
}
