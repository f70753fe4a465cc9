package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Node;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.controller.apply.SlotPublisher;
import io.numaspark.controller.apply.StartupTaint;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.NodePlan;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.controller.watch.SlotWatches;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
public record SlotsReconciler(
    SlotWatches watches,
    PlanStore plans,
    NodeCounting counting,
    SlotBoard board,
    SlotPublisher publisher,
    StartupTaint startupTaint,
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
    Optional<NodePlan> plan = plans.onNode(name);
    Optional<Withheld> withheld = counting.withheld(node, plan, now);
    if (context.isPrimaryResourceDeleted()) {
      board.remove(name);
      counting.forget(name);
      watches.trigger().reconcileLater(name);
      return UpdateControl.noUpdate();
    }
    Optional<NodeCount> count = plan.map(found -> counting.count(node, found, withheld, now));
    publisher.publish(node, resources(node, count));
    if (SlotNodes.awaitsSlots(node) && count.filter(SlotsReconciler::hasSlots).isPresent()) {
      startupTaint.remove(node);
    }
    count.ifPresentOrElse(board::put, () -> board.remove(name));
    return Reschedule.at(
        Stream.of(
                count.flatMap(found -> found.slots().withheld()).map(Withheld::until),
                count.flatMap(found -> counting.until(name, found)))
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder()),
        now,
        UpdateControl.noUpdate());
  }

  /** A node without slots keeps its startup taint: nothing could run there. */
  private static boolean hasSlots(NodeCount count) {
    return count.slots().capacity() > 0;
  }

  /**
   * The slots that the node should have. Those of profiles that are gone leave it, and of those
   * that were planned without this node; those of a profile that is not planned yet stay.
   */
  private Map<String, Optional<Integer>> resources(Node node, Optional<NodeCount> count) {
    Map<String, Optional<Integer>> resources = new HashMap<>();
    for (String resource : SlotNodes.slotResources(node)) {
      String profile = resource.substring(ApiGroup.SLOT_RESOURCE_PREFIX.length());
      if (watches.profile(profile).isEmpty() || plans.isPlanned(profile)) {
        resources.put(resource, Optional.empty());
      }
    }
    count.ifPresent(
        found ->
            resources.put(
                ApiGroup.slotResource(found.slots().profile()),
                Optional.of(found.slots().capacity())));
    return resources;
  }
}
