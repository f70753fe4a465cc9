package io.numaspark.planner.capacity;

import io.numaspark.planner.plan.ExecutorShape;
import io.numaspark.planner.plan.Layout;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The number of a profile's slots to publish on a node, so that the scheduler never sends an
 * executor that the kubelet rejects.
 *
 * <p>The scheduler takes what is published less what bound pods request as free. Let NUMA node n
 * hold S(n) slots when empty, and let W be the slots that a pod takes at most in whatever NUMA node
 * it sits ({@link NodeSlots#slotsOf}, an executor of the shape takes 1).
 *
 * <ul>
 *   <li>A pod that requests at least W slots is regular: what it takes, it has asked for.
 *   <li>All others are irregular: pods without a request that hold CPUs or memory in a NUMA node,
 *       and executors of an earlier, larger shape. Together they take at most {@link #lost} slots
 *       of an otherwise empty node ({@link LossBound}), say L(n) in NUMA node n.
 *   <li>floor((x - p) / c) is at least floor(x / c) - ceil(p / c), so NUMA node n has room for at
 *       least S(n) - L(n) - (sum of W over its regular pods) more executors, and the node for at
 *       least S - lost - (sum of requests of regular pods).
 *   <li>Published is S - lost + (requests of irregular pods), so that the scheduler comes to
 *       exactly this number, and to no more after pods have left: a regular pod frees what it asked
 *       for, and without an irregular one that requested k slots, and so holds more than k slots'
 *       CPUs or memory, the bound is smaller by k or more. For that, what a NUMA node has beside
 *       its slots counts as less than a slot while such pods are there.
 * </ul>
 *
 * <p>Never published is less than bound pods request. A restarted kubelet admits running pods
 * again, oldest first, and fails those for which allocatable less the requests of the others is too
 * little (HandlePodAdditions; lifecycle/predicate.go: generalFilter, which checks extended
 * resources without a device plugin too), with the reason OutOfslots.numaspark.io/.... It passes
 * over a resource that the node does not list at all (removeMissingExtendedResources), so removing
 * the resource harms no running pod, and lowering it does. Where no device plugin ever registered,
 * a restarting kubelet sets all extended resources of its node to 0 itself
 * (reconcileExtendedResource); only publishing again helps then.
 *
 * <p>Limit: it holds for the pods given. An irregular one that comes before the next publication
 * takes room that was published as free. And where bound pods request more than S - lost (irregular
 * pods came later and happen to fit), what is published is their requests, nothing is free, and
 * pods that leave make it too much until the next publication. The kubelet's checks beside CPUs and
 * memory of NUMA nodes are not considered.
 *
 * @param capacity what to publish
 * @param slots slots of the empty node
 * @param lost slots that the irregular pods take at most, 0 to all
 * @param requested slots that all given pods request
 * @param irregular pods that hold more slots than they ask for
 */
public record SlotCapacity(
    int capacity, int slots, int lost, int requested, List<Occupant> irregular) {
  public SlotCapacity {
    irregular = List.copyOf(irregular);
  }

  /** Slots that the scheduler finds free. */
  public int free() {
    return capacity - requested;
  }

  /**
   * The capacity of a node.
   *
   * @param layout of the node's class for the shape
   * @param occupants all pods that are bound to the node and have not ended
   */
  public static SlotCapacity of(ExecutorShape shape, Layout layout, List<Occupant> occupants) {
    NodeSlots node = NodeSlots.of(layout, shape);
    List<Occupant> irregular =
        occupants.stream()
            .filter(occupant -> slotsTaken(node, occupant) > occupant.slotsRequested())
            .toList();
    int lost = Math.max(lostInNumaNodes(node, irregular), lostToSharedPool(node, irregular));
    int requested = requested(occupants);
    int capacity =
        Math.max(requested, saturated((long) node.slots() - lost + requested(irregular)));
    return new SlotCapacity(capacity, node.slots(), lost, requested, irregular);
  }

  private static int requested(List<Occupant> occupants) {
    return saturated(occupants.stream().mapToLong(Occupant::slotsRequested).sum());
  }

  private static int saturated(long slots) {
    return (int) Math.min(Integer.MAX_VALUE, slots);
  }

  /** The most slots that a pod takes alone. */
  private static long slotsTaken(NodeSlots node, Occupant occupant) {
    if (occupant.claims().stream().anyMatch(claim -> takesWholeNumaNodes(node, claim))) {
      return Math.max(1, node.slots());
    }
    return occupant.claims().stream()
        .flatMap(claim -> unsplit(node, claim))
        .mapToLong(node::slotsOf)
        .sum();
  }

  private static int lostInNumaNodes(NodeSlots node, List<Occupant> irregular) {
    List<Claim> claims = irregular.stream().flatMap(pod -> pod.claims().stream()).toList();
    if (claims.stream().anyMatch(claim -> takesWholeNumaNodes(node, claim))) {
      return node.slots();
    }
    boolean own = irregular.stream().anyMatch(occupant -> occupant.slotsRequested() > 0);
    return new LossBound(node, own)
        .of(claims.stream().flatMap(claim -> unsplit(node, claim)).toList());
  }

  /**
   * Memory on several NUMA nodes makes them a group, in which the Memory Manager places nothing
   * else (memorymanager/policy_static.go: isNUMAAffinitySatisfyRequest, groups); which ones is not
   * known.
   */
  private static boolean takesWholeNumaNodes(NodeSlots node, Claim claim) {
    return node.isSplit(claim) && node.countsMemory();
  }

  /**
   * CPUs that may lie anywhere are as many claims of one, and no more than would take every slot
   * one by one: a pod may ask for any number.
   */
  private static Stream<Claim> unsplit(NodeSlots node, Claim claim) {
    return node.isSplit(claim)
        ? Collections.nCopies(Math.min(claim.cpus(), node.cpus()), new Claim(1, 0)).stream()
        : Stream.of(claim);
  }

  private static int lostToSharedPool(NodeSlots node, List<Occupant> irregular) {
    OptionalInt cpus = node.sharedPool();
    if (cpus.isEmpty()) {
      return 0;
    }
    long held =
        irregular.stream()
            .flatMap(occupant -> occupant.claims().stream())
            .mapToLong(Claim::cpus)
            .sum();
    long left = Math.max(0, cpus.getAsInt() - held) / node.slotCpus();
    return (int) Math.max(0, node.slots() - left);
  }
}
