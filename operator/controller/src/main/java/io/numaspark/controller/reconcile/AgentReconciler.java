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
import io.numaspark.controller.apply.AgentOrders;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.lifecycle.AgentDecision;
import io.numaspark.controller.lifecycle.AgentDecision.Restoring;
import io.numaspark.controller.profile.NodeOwnership;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.status.EventReason;
import io.numaspark.controller.status.TrialLoad;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.RestoringNodes;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.controller.watch.AgentWatches;
import io.numaspark.render.knobs.AgentAssignment.NodeNow;
import io.numaspark.render.knobs.AgentKind;
import io.numaspark.render.pins.PinAssignment;
import io.numaspark.render.pins.PinWish;
import io.numaspark.render.text.Labels;
import java.time.Clock;
import java.time.Duration;
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
    PlanStore plans,
    TrialLocks trials,
    RestoringNodes restoring,
    EventRecorder events,
    Clock clock)
    implements Reconciler<Node> {
  private static final Duration WHILE_OPERATOR_STARTS = Duration.ofMillis(200);

  @Override
  public List<EventSource<?, Node>> prepareEventSources(EventSourceContext<Node> context) {
    return watches.prepare(context);
  }

  @Override
  public UpdateControl<Node> reconcile(Node node, Context<Node> context) {
    String name = node.getMetadata().getName();
    Instant now = clock.instant();
    if (!trials.isLoaded() && !context.isPrimaryResourceDeleted()) {
      return UpdateControl.<Node>noUpdate().rescheduleAfter(WHILE_OPERATOR_STARTS);
    }
    Optional<SparkNodeTopology> topology = watches.topology(name);
    Optional<SparkNodeProfile> owner =
        context.isPrimaryResourceDeleted()
            ? Optional.empty()
            : NodeOwnership.owner(watches.profiles(), node);
    AgentDecision decision = decide(node, topology, owner, context.isPrimaryResourceDeleted(), now);
    // The wishes first: an agent that starts must not find old ones.
    topology.ifPresent(
        found -> {
          orders.wish(found, decision.knobs().knobs());
          orders.pin(found, decision.pins().pins());
          orders.reportLoad(found, owner.filter(this::isOfTrial).isPresent());
        });
    if (!context.isPrimaryResourceDeleted()) {
      orders.assign(node, decision.label());
    }
    restoring.put(name, decision.restoring(restoring.of(name), now));
    decision
        .knobs()
        .warning()
        .map(note -> Announcement.warning(EventReason.KNOBS_NOT_RESTORED, note))
        .ifPresent(warning -> events.record(node, warning));
    return Reschedule.at(decision.until(), now, UpdateControl.noUpdate());
  }

  private AgentDecision decide(
      Node node,
      Optional<SparkNodeTopology> topology,
      Optional<SparkNodeProfile> of,
      boolean isDeleted,
      Instant now) {
    String name = node.getMetadata().getName();
    Restoring before = restoring.of(name);
    NodeNow seen =
        new NodeNow(
            name, AgentKind.withoutPinner(agentOf(node)), topology, before.knobs().orElse(now));
    if (isDeleted) {
      return AgentDecision.farewell(seen);
    }
    Optional<SparkNodeProfile> owner = of.map(trials::effective);
    PinAssignment pinning =
        owner.filter(profile -> !plans.hasPlan(profile.getMetadata().getName())).isPresent()
            // What was wanted stays: a restart must not take executors' CPUs.
            ? PinAssignment.unchanged(topology)
            : PinAssignment.of(wish(owner, name), topology, before.pins().orElse(now), now);
    return AgentDecision.of(seen, owner, pinning, now);
  }

  /**
   * Whether a trial has the nodes of a profile for itself, and needs to know what else runs there.
   * Agents of many nodes would write more often than the API server should be asked.
   */
  private boolean isOfTrial(SparkNodeProfile profile) {
    String name = profile.getMetadata().getName();
    return trials.holder(name).isPresent() && plans.nodes(name) <= TrialLoad.MOST_NODES;
  }

  private PinWish wish(Optional<SparkNodeProfile> owner, String node) {
    return owner
        .map(
            profile ->
                PinWish.of(
                    profile.getMetadata().getName(),
                    profile.getSpec(),
                    plans.layout(profile.getMetadata().getName(), node)))
        .orElseGet(PinWish.Nothing::new);
  }

  private static String agentOf(Node node) {
    return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
        .get(Labels.AGENT);
  }
}
