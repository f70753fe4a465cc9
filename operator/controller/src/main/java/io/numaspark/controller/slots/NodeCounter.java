package io.numaspark.controller.slots;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.controller.slots.NodeCount.ExecutorsOf;
import io.numaspark.planner.capacity.Occupant;
import io.numaspark.planner.capacity.SlotCapacity;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.render.Labels;
import io.numaspark.render.pins.PinnerReport;
import io.numaspark.render.pod.PodTranslator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Counts the slots of one node from the pods that are bound to it. */
public final class NodeCounter {
  private NodeCounter() {}

  /**
   * The node's slots.
   *
   * @param pods all pods on the node that can take slots; those that have ended are passed over
   * @param unseen what holds something there beside them
   * @param pinner what the node's pinner says, if the container runtime pins there
   */
  public static NodeCount count(
      String node,
      NodePlan plan,
      List<Pod> pods,
      List<Occupant> unseen,
      Optional<PinnerReport.Reading> pinner,
      Optional<Withheld> withheld) {
    String resource = ApiGroup.slotResource(plan.profile());
    KubeletSettings kubelet = plan.layout().nodeClass().machine().kubelet();
    List<Pod> present = pods.stream().filter(pod -> !BoundPods.hasEnded(pod)).toList();
    List<Occupant> occupants =
        Stream.concat(
                unseen.stream(), present.stream().map(pod -> occupant(pod, resource, kubelet)))
            .toList();
    SlotCapacity counted = SlotCapacity.of(plan.shape(), plan.layout(), occupants);
    int allowed =
        pinner
            .map(reading -> allowedByPinner(reading, present, resource, counted.requested()))
            .orElse(counted.capacity());
    Map<ExecutorsOf, Map<String, Integer>> executors = new HashMap<>();
    for (Pod pod : present) {
      int slots = BoundPods.slotsRequested(pod, resource);
      if (slots > 0) {
        executors
            .computeIfAbsent(attempt(pod), attempt -> new HashMap<>())
            .put(pod.getMetadata().getUid(), slots);
      }
    }
    return new NodeCount(
        new SlotCount(
            node, plan.profile(), counted.slots(), allowed, counted.requested(), withheld),
        executors);
  }

  /**
   * Slots beside all other pods, where the runtime pins: those that pods request, and the free ones
   * less those of pods that are bound and have not got theirs yet. The report is older than the
   * pods: what it says to be held may be free, but what it says to be free is taken by pods that it
   * does not list.
   */
  private static int allowedByPinner(
      PinnerReport.Reading reading, List<Pod> present, String resource, int requested) {
    if (!(reading instanceof PinnerReport.Working working)) {
      return requested;
    }
    Set<String> served = working.report().servedPods();
    int coming =
        present.stream()
            .filter(pod -> !served.contains(pod.getMetadata().getUid()))
            .mapToInt(pod -> BoundPods.slotsRequested(pod, resource))
            .sum();
    return requested + Math.max(0, working.report().freeSlots().size() - coming);
  }

  /** A pod that cannot be read may hold all of its node: one of them must not end the count. */
  static Occupant occupant(Pod pod, String resource, KubeletSettings kubelet) {
    int slots = BoundPods.slotsRequested(pod, resource);
    try {
      return Occupant.of(PodTranslator.request(pod), slots, kubelet);
    } catch (IllegalArgumentException e) {
      return new Occupant(PodTranslator.key(pod), Integer.MAX_VALUE, Long.MAX_VALUE, slots);
    }
  }

  private static ExecutorsOf attempt(Pod pod) {
    return new ExecutorsOf(
        pod.getMetadata().getNamespace(),
        String.valueOf(pod.getMetadata().getLabels().get(Labels.SPARK_APP_SELECTOR)));
  }
}
