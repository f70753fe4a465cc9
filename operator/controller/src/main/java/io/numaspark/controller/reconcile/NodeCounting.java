package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.slots.Allocatable;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.NodeCounter;
import io.numaspark.controller.slots.NodePlan;
import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.slots.SharedCpus;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.store.RejectionInbox;
import io.numaspark.controller.store.UnseenPods;
import io.numaspark.controller.store.Withholding;
import io.numaspark.controller.watch.SlotWatches;
import io.numaspark.render.knobs.AgentHealth;
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
      announce(Announcement.ofRejection(rejection, withheld), rejection.profile(), node);
    }
  }

  private void announce(Announcement announcement, String profile, Node node) {
    events.record(node, announcement);
    watches.profile(profile).ifPresent(found -> events.record(found, announcement));
  }

  /** The slots of a node. */
  NodeCount count(Node node, NodePlan plan, Optional<Withheld> withheld, Instant now) {
    String name = node.getMetadata().getName();
    List<Pod> pods = watches.pods(node);
    Optional<WantedPins> pins = PinLayout.of(plan.profile(), plan.layout());
    pins.map(wanted -> SharedCpus.of(wanted, pods))
        .filter(SharedCpus::areTooFew)
        .ifPresent(
            shared -> announce(Announcement.ofSharedCpus(name, shared), plan.profile(), node));
    return NodeCounter.count(
        name,
        plan,
        pods,
        unseen.on(name, plan.layout().nodeClass().machine(), pods, now),
        new Allocatable(SlotNodes.allocatable(node, "cpu"), SlotNodes.allocatable(node, "memory")),
        pins.map(wanted -> PinnerReport.of(wanted, agents.of(name), SlotNodes.bootId(node), now))
            .filter(reading -> !isOnlyObserved(pins.get(), reading)),
        withheld);
  }

  /** A pinner that pins nothing has no free slots of its own to report: then pods are counted. */
  private static boolean isOnlyObserved(WantedPins wanted, PinnerReport.Reading reading) {
    return wanted.mode() == WantedPins.Mode.Observe && reading instanceof PinnerReport.Working;
  }

  /** When what a pinner has said counts no more, unless its agent is heard again. */
  Optional<Instant> until(String node, NodeCount count) {
    return count.slots().pinner().isEmpty() || count.slots().pinnerTrouble().isPresent()
        ? Optional.empty()
        : agents
            .of(node)
            .flatMap(topology -> AgentHealth.heartbeat(topology.getStatus()))
            .map(heard -> heard.plus(AgentHealth.SILENCE));
  }

  /** Forgets a node that is gone. */
  void forget(String node) {
    unseen.forget(node);
  }
}
