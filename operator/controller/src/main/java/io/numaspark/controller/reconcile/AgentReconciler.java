package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Node;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.controller.apply.AgentOrders;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.profile.NodeOwnership;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.status.EventReason;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.RestoringNodes;
import io.numaspark.controller.watch.AgentWatches;
import io.numaspark.planner.plan.Layout;
import io.numaspark.render.Labels;
import io.numaspark.render.knobs.AgentAssignment;
import io.numaspark.render.knobs.AgentAssignment.NodeNow;
import io.numaspark.render.knobs.AgentKind;
import io.numaspark.render.knobs.KnobWishes;
import io.numaspark.render.pins.PinAssignment;
import io.numaspark.render.pins.PinWish;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

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
public record AgentReconciler(
    AgentWatches watches,
    AgentOrders orders,
    PlanStore plans,
    RestoringNodes restoring,
    RestoringNodes releasing,
    EventRecorder events,
    Clock clock)
    implements Reconciler<Node> {

  @Override
  public List<EventSource<?, Node>> prepareEventSources(EventSourceContext<Node> context) {
    return watches.prepare(context);
  }

  @Override
  public UpdateControl<Node> reconcile(Node node, Context<Node> context) {
    String name = node.getMetadata().getName();
    Instant now = clock.instant();
    Optional<SparkNodeTopology> topology = watches.topology(name);
    NodeNow seen =
        new NodeNow(
            name,
            AgentKind.withoutPinner(agentOf(node)),
            topology,
            restoring.since(name).orElse(now));
    if (context.isPrimaryResourceDeleted()) {
      restoring.ended(name);
      releasing.ended(name);
      AgentAssignment.farewell(seen).ifPresent(note -> warn(node, note));
      topology.ifPresent(
          found -> {
            orders.wish(found, Optional.empty());
            orders.pin(found, Optional.empty());
          });
      return UpdateControl.noUpdate();
    }
    Optional<SparkNodeProfile> owner = NodeOwnership.owner(watches.profiles(), node);
    AgentAssignment assignment =
        owner
            .map(profile -> AgentAssignment.selected(wishes(profile), seen, now))
            .orElseGet(() -> AgentAssignment.unselected(seen, now));
    PinAssignment pinning = pinning(name, owner, topology, now);
    // The wishes first: an agent that starts must not find old ones.
    topology.ifPresent(
        found -> {
          orders.wish(found, assignment.knobs());
          orders.pin(found, pinning.pins());
        });
    orders.assign(node, AgentKind.label(assignment.label(), pinning.pins().isPresent()));
    if (pinning.releasing()) {
      releasing.began(name, now);
    } else {
      releasing.ended(name);
    }
    assignment.warning().ifPresent(note -> warn(node, note));
    if (assignment.restoring()) {
      restoring.began(name, now);
    } else {
      restoring.ended(name);
    }
    Optional<Instant> until =
        Stream.of(assignment.until(), pinning.until())
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    return Reschedule.at(until, now, UpdateControl.noUpdate());
  }

  /** What was wanted stays while nobody knows better: a restart must not take executors' CPUs. */
  private PinAssignment pinning(
      String node,
      Optional<SparkNodeProfile> owner,
      Optional<SparkNodeTopology> topology,
      Instant now) {
    if (owner.filter(profile -> !plans.hasPlan(profile.getMetadata().getName())).isPresent()) {
      return PinAssignment.unchanged(topology);
    }
    PinWish wish =
        owner
            .map(profile -> wish(profile, plans.layout(profile.getMetadata().getName(), node)))
            .orElseGet(PinWish.Nothing::new);
    return PinAssignment.of(wish, topology, releasing.since(node).orElse(now), now);
  }

  private static PinWish wish(SparkNodeProfile profile, Optional<Layout> layout) {
    return PinWish.of(profile.getMetadata().getName(), profile.getSpec(), layout);
  }

  private static Optional<WantedKnobs> wishes(SparkNodeProfile profile) {
    return KnobWishes.of(profile.getMetadata().getName(), profile.getSpec());
  }

  private void warn(Node node, String note) {
    events.record(node, Announcement.warning(EventReason.KNOBS_NOT_RESTORED, note));
  }

  private static String agentOf(Node node) {
    return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
        .get(Labels.AGENT);
  }
}
