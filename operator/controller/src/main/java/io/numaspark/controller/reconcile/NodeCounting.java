package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.NodeCounter;
import io.numaspark.controller.slots.NodePlan;
import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.store.RejectionInbox;
import io.numaspark.controller.store.UnseenPods;
import io.numaspark.controller.store.Withholding;
import io.numaspark.controller.watch.SlotWatches;
import io.numaspark.render.pins.PinLayout;
import io.numaspark.render.pins.PinnerReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Counts the slots of a node from the pods on it, and withholds the free ones after its kubelet has
 * rejected an executor. Each rejection is counted, and the first of each withholding is an event of
 * the node and of the profile.
 */
public record NodeCounting(
    SlotWatches watches,
    RejectionInbox inbox,
    Withholding withholding,
    UnseenPods unseen,
    NodeAgents agents,
    OperatorMetrics metrics,
    EventRecorder events) {

  /**
   * Why free slots of a node are withheld now, if they are.
   *
   * <p>What an earlier operator withheld stays withheld, and what another one withholds that runs
   * beside this one: each judges the rejections of its own applications, and all write one count.
   */
  Optional<Withheld> withheld(Node node, Optional<NodePlan> plan, Instant now) {
    String name = node.getMetadata().getName();
    plan.flatMap(found -> watches.withheld(found.profile(), name))
        .ifPresent(written -> withholding.restore(name, written));
    for (Rejection rejection : inbox.take(name)) {
      withholding.record(rejection, now).ifPresent(state -> announce(rejection, state, node));
    }
    withholding.prune(name, now);
    return withholding.of(name, now);
  }

  private void announce(Rejection rejection, Withheld withheld, Node node) {
    metrics.countRejection(rejection.reason(), rejection.profile());
    if (withheld.since().equals(rejection.at())) {
      Announcement announcement = Announcement.ofRejection(rejection, withheld);
      events.record(node, announcement);
      watches
          .profile(rejection.profile())
          .ifPresent(profile -> events.record(profile, announcement));
    }
  }

  /** The slots of a node. */
  NodeCount count(Node node, NodePlan plan, Optional<Withheld> withheld, Instant now) {
    String name = node.getMetadata().getName();
    List<Pod> pods = watches.pods(node);
    return NodeCounter.count(
        name,
        plan,
        pods,
        unseen.on(name, plan.layout().nodeClass().machine(), pods, now),
        PinLayout.of(plan.profile(), plan.layout())
            .map(wanted -> PinnerReport.of(wanted, agents.of(name), now)),
        withheld);
  }

  /** Forgets a node that is gone. */
  void forget(String node) {
    unseen.forget(node);
  }
}
