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
import io.numaspark.controller.store.RestoringNodes;
import io.numaspark.controller.watch.AgentWatches;
import io.numaspark.render.Labels;
import io.numaspark.render.knobs.AgentAssignment;
import io.numaspark.render.knobs.AgentAssignment.NodeNow;
import io.numaspark.render.knobs.KnobWishes;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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
    RestoringNodes restoring,
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
    NodeNow seen = new NodeNow(name, agentOf(node), topology, restoring.since(name).orElse(now));
    if (context.isPrimaryResourceDeleted()) {
      restoring.ended(name);
      AgentAssignment.farewell(seen).ifPresent(note -> warn(node, note));
      topology.ifPresent(found -> orders.wish(found, Optional.empty()));
      return UpdateControl.noUpdate();
    }
    AgentAssignment assignment =
        NodeOwnership.owner(watches.profiles(), node)
            .map(owner -> AgentAssignment.selected(wishes(owner), seen, now))
            .orElseGet(() -> AgentAssignment.unselected(seen, now));
    // The wish first: an agent that starts must not find an old one.
    topology.ifPresent(found -> orders.wish(found, assignment.knobs()));
    orders.assign(node, assignment.label());
    assignment.warning().ifPresent(note -> warn(node, note));
    if (assignment.restoring()) {
      restoring.began(name, now);
    } else {
      restoring.ended(name);
    }
    return Reschedule.at(assignment.until(), now, UpdateControl.noUpdate());
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
