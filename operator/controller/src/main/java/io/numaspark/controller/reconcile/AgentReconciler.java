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
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.controller.apply.AgentOrders;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.observe.TopologyParts;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.status.EventReason;
import io.numaspark.render.Labels;
import io.numaspark.render.knobs.AgentAssignment;
import io.numaspark.render.knobs.AgentAssignment.NodeNow;
import io.numaspark.render.knobs.AgentSight;
import io.numaspark.render.knobs.KnobWishes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Gives each node that a profile selects its agent, and the agent its wishes.
 *
 * <p>Needs no finalizer: the node's label and its topology hold what has still to be put back. Only
 * since when it waits for that is in memory, so that it waits longer after a restart.
 */
@ControllerConfiguration(
    name = "agent",
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public final class AgentReconciler implements Reconciler<Node> {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int LOOKS_A_PERIOD = 4;

  private final AgentOrders orders;
  private final NodeAgents agents;
  private final Announcer announcer;
  private final Clock clock;
  private final Map<String, Instant> restoringSince = new ConcurrentHashMap<>();
  private InformerEventSource<SparkNodeProfile, Node> profiles;
  private InformerEventSource<SparkNodeTopology, Node> topologies;

  public AgentReconciler(AgentOrders orders, NodeAgents agents, Announcer announcer, Clock clock) {
    this.agents = agents;
    this.orders = orders;
    this.announcer = announcer;
    this.clock = clock;
  }

  /** Settings of this controller that its annotation cannot say. */
  public static void configure(ControllerConfigurationOverrider<Node> settings) {
    settings
        .withItemStore(new TransformingItemStore<>(SlotNodes::trimmed))
        .withOnUpdateFilter(SlotNodes::labelsDiffer)
        .withRateLimiter(new LinearRateLimiter(PERIOD, LOOKS_A_PERIOD));
  }

  @Override
  public List<EventSource<?, Node>> prepareEventSources(EventSourceContext<Node> context) {
    profiles =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeProfile.class, Node.class)
                .withName("profiles")
                .withOnUpdateFilter(AgentReconciler::wishesMayDiffer)
                .withSecondaryToPrimaryMapper(profile -> everyNode(context))
                .build(),
            context);
    topologies =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeTopology.class, Node.class)
                .withName("topologies")
                .withItemStore(new TransformingItemStore<>(TopologyParts::agent))
                .withOnUpdateFilter(AgentReconciler::saysSomethingNew)
                .withSecondaryToPrimaryMapper(this::nodeOf)
                .build(),
            context);
    agents.connect(topologies);
    return List.of(profiles, topologies);
  }

  /** Its selector says which nodes it concerns, and the one before is not known here. */
  private static Set<ResourceID> everyNode(EventSourceContext<Node> context) {
    return context
        .getPrimaryCache()
        .list()
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** Every topology that has changed passes here. */
  private Set<ResourceID> nodeOf(SparkNodeTopology topology) {
    String node = topology.getMetadata().getName();
    agents.tell(node);
    return Set.of(new ResourceID(node));
  }

  private static boolean wishesMayDiffer(SparkNodeProfile one, SparkNodeProfile other) {
    return !Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid())
        || !Objects.equals(one.getSpec(), other.getSpec())
        || one.isMarkedForDeletion() != other.isMarkedForDeletion();
  }

  /** Leaves out heartbeats, and percents that move by little. */
  private static boolean saysSomethingNew(SparkNodeTopology one, SparkNodeTopology other) {
    return !Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid())
        || !Objects.equals(one.getSpec(), other.getSpec())
        || AgentAssignment.readGeneration(one) != AgentAssignment.readGeneration(other)
        || AgentSight.differ(one.getStatus(), other.getStatus());
  }

  @Override
  public UpdateControl<Node> reconcile(Node node, Context<Node> context) {
    String name = node.getMetadata().getName();
    Instant now = clock.instant();
    Optional<SparkNodeTopology> topology = topologies.get(new ResourceID(name));
    NodeNow seen =
        new NodeNow(name, agentOf(node), topology, restoringSince.getOrDefault(name, now));
    if (context.isPrimaryResourceDeleted()) {
      restoringSince.remove(name);
      AgentAssignment.farewell(seen).ifPresent(note -> warn(node, note));
      topology.ifPresent(found -> orders.wish(found, Optional.empty()));
      return UpdateControl.noUpdate();
    }
    AgentAssignment assignment =
        NodeOwnership.owner(profiles.list(), node)
            .map(owner -> AgentAssignment.selected(wishes(owner), seen, now))
            .orElseGet(() -> AgentAssignment.unselected(seen, now));
    // The wish first: an agent that starts must not find an old one.
    topology.ifPresent(found -> orders.wish(found, assignment.knobs()));
    orders.assign(node, assignment.label());
    assignment.warning().ifPresent(note -> warn(node, note));
    if (assignment.restoring()) {
      restoringSince.putIfAbsent(name, now);
    } else {
      restoringSince.remove(name);
    }
    return assignment
        .until()
        .map(
            until ->
                UpdateControl.<Node>noUpdate()
                    .rescheduleAfter(Duration.between(now, until).plusMillis(1)))
        .orElseGet(UpdateControl::noUpdate);
  }

  private static Optional<WantedKnobs> wishes(SparkNodeProfile profile) {
    return KnobWishes.of(profile.getMetadata().getName(), profile.getSpec());
  }

  private void warn(Node node, String note) {
    announcer.tell(node, Announcement.warning(EventReason.KNOBS_NOT_RESTORED, note));
  }

  private static String agentOf(Node node) {
    return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
        .get(Labels.AGENT);
  }
}
