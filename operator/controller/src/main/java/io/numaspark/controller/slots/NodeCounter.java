package io.numaspark.controller.slots;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.controller.slots.NodeCount.ExecutorsOf;
import io.numaspark.planner.capacity.Occupant;
import io.numaspark.planner.capacity.SlotCapacity;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.render.pins.PinnerReport;
import io.numaspark.render.pod.PodTranslator;
import io.numaspark.render.text.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts the slots of one node from the pods that are bound to it. */
public final class NodeCounter {
  private NodeCounter() {}

  /**
   * The node's slots.
   *
   * @param pods all pods on the node that can take slots; those that have ended are passed over
   * @param unseen what holds something there beside them
   * @param allocatable what all of them can request there
   * @param pinner what the node's pinner says, if the container runtime pins there
   */
  public static NodeCount count(
      String node,
      NodePlan plan,
      List<Pod> pods,
      List<Occupant> unseen,
      Allocatable allocatable,
      Optional<PinnerReport.Reading> pinner,
      Optional<Withheld> withheld) {
    String resource = ApiGroup.slotResource(plan.profile());
    KubeletSettings kubelet = plan.layout().nodeClass().machine().kubelet();
    List<Pod> present = pods.stream().filter(pod -> !BoundPods.hasEnded(pod)).toList();
    List<Occupant> occupants =
        pinner.isPresent()
            ? present.stream().map(pod -> guest(pod, resource)).toList()
            : Stream.concat(
                    unseen.stream(), present.stream().map(pod -> occupant(pod, resource, kubelet)))
                .toList();
    SlotCapacity counted = SlotCapacity.of(plan.shape(), plan.layout(), occupants);
    int allowed =
        pinner.isPresent()
            ? allowedByScheduler(plan, present, counted, allocatable)
            : counted.capacity();
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
            node,
            plan.profile(),
            counted.slots(),
            allowed,
            counted.requested(),
            withheld,
            pinner.map(reading -> pinnerSlots(reading, present, plan.profile()))),
        executors);
  }

  /**
   * Slots beside all other pods, where the runtime pins. Other pods have the shared CPUs there and
   * cost no slot, but what they request leaves the scheduler less for executors: a slot for which
   * it finds no room is none. Executors without the annotation have the shared CPUs too, so that
   * the slots that they request are there beside them.
   *
   * <p>Limit: when one of those ends, what it requested counts as free until the next count.
   */
  private static int allowedByScheduler(
      NodePlan plan, List<Pod> present, SlotCapacity counted, Allocatable allocatable) {
    String resource = ApiGroup.slotResource(plan.profile());
    long requested = counted.requested();
    long sharing =
        present.stream()
            .filter(pod -> !BoundPods.asksPinner(pod, plan.profile()))
            .mapToLong(pod -> BoundPods.slotsRequested(pod, resource))
            .sum();
    long room = allocatable.executors(plan.shape(), PodDemand.of(present));
    long allowed = Math.min(counted.slots() + sharing, requested + room);
    return (int) Math.min(Integer.MAX_VALUE, Math.max(requested, allowed));
  }

  /**
   * What the pinner has for executors to come. Each holds what it requested of the scheduler while
   * it runs: the slots that the pinner gave to it are not among the free ones, the others are taken
   * off here, so that the scheduler finds no more than there is when it has ended.
   *
   * <p>The report is older than the pods: what it says to be held may be free, but what it says to
   * be free is taken by pods that it does not list.
   */
  private static PinnerSlots pinnerSlots(
      PinnerReport.Reading reading, List<Pod> present, String profile) {
    if (reading instanceof PinnerReport.NotWorking not) {
      return PinnerSlots.notWorking(not.reason());
    }
    PinnerReport report = ((PinnerReport.Working) reading).report();
    Map<String, Integer> served = report.served();
    long taken = 0;
    for (Pod pod : present) {
      if (BoundPods.asksPinner(pod, profile)) {
        int requested = BoundPods.slotsRequested(pod, ApiGroup.slotResource(profile));
        Integer held = served.get(pod.getMetadata().getUid());
        // Those of an earlier layout, or of another program, block the slots that they overlap.
        boolean elsewhere = held != null && held == 0;
        taken += elsewhere ? 0 : requested - Math.min(requested, held == null ? 0 : held);
      }
    }
    return PinnerSlots.working((int) Math.max(0, report.freeSlots().size() - taken));
  }

  /** A pod where the kubelet gives nobody CPUs or memory of a NUMA node. */
  private static Occupant guest(Pod pod, String resource) {
    return new Occupant(PodTranslator.key(pod), List.of(), BoundPods.slotsRequested(pod, resource));
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
