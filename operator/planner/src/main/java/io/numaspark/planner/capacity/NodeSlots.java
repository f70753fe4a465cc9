package io.numaspark.planner.capacity;

import io.numaspark.planner.plan.ExecutorShape;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The slots of an empty node, and how much its NUMA nodes hold.
 *
 * <p>Limit: a slot of the layout that needs lone threads beside reserved ones is none here with
 * full-pcpus-only, because such threads are not enough for an executor once all cores are taken.
 *
 * @param slotCpus CPUs of a slot
 * @param slotBytes memory of a slot
 * @param countsMemory whether the kubelet counts memory for each NUMA node
 * @param largestUnsplit a claim with more CPUs or more memory may be spread over NUMA nodes; empty
 *     where the kubelet spreads none
 * @param sharedPool with strict-cpu-reservation, the CPUs of the node that pods may hold together
 *     before the shared pool is empty, with which a kubelet does not restart
 * @param numaNodes those with slots
 */
record NodeSlots(
    int slotCpus,
    long slotBytes,
    boolean countsMemory,
    Optional<Claim> largestUnsplit,
    OptionalInt sharedPool,
    List<NumaSlots> numaNodes) {
  /** 1 PiB, as in the layout: no NUMA node has more. */
  private static final long MOST_BYTES = 1L << 50;

  NodeSlots {
    numaNodes = List.copyOf(numaNodes);
  }

  /**
   * Slots and room of one NUMA node.
   *
   * @param cpus allocatable CPUs that executors can count on
   * @param bytes allocatable memory
   */
  record NumaSlots(int slots, int cpus, long bytes) {}

  static NodeSlots of(Layout layout, ExecutorShape shape) {
    Machine machine = layout.nodeClass().machine();
    List<NumaSlots> numaNodes = new ArrayList<>();
    for (int i = 0; i < layout.numaNodes().size(); i++) {
      NumaNode numaNode = machine.topology().numaNodes().get(i);
      int cpus = countedCpus(machine, numaNode);
      int slots = Math.min(layout.numaNodes().get(i).slots().size(), cpus / shape.cpus().cpus());
      if (slots > 0) {
        numaNodes.add(
            new NumaSlots(
                slots, cpus, Math.min(MOST_BYTES, machine.allocatableMemoryBytes(numaNode))));
      }
    }
    boolean strict = machine.kubelet().hasOption(KubeletSettings.STRICT_CPU_RESERVATION);
    return new NodeSlots(
        shape.cpus().cpus(),
        shape.memory().podBytes(),
        machine.kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC,
        largestUnsplit(machine),
        strict
            ? OptionalInt.of(machine.topology().cpus().minus(machine.reservedCpus()).size() - 1)
            : OptionalInt.empty(),
        numaNodes);
  }

  /**
   * CPUs of a NUMA node that executors can count on. With full-pcpus-only a pod is rejected when
   * the whole node lacks free cores without a reserved thread, even if its NUMA node has lone
   * threads enough (policy_static.go: Allocate, GetAvailablePhysicalCPUs), so only such cores
   * count.
   */
  private static int countedCpus(Machine machine, NumaNode numaNode) {
    return machine.kubelet().hasOption(KubeletSettings.FULL_PCPUS_ONLY)
        ? machine.freeCores(numaNode).stream().mapToInt(core -> core.threads().size()).sum()
        : numaNode.cpus().minus(machine.reservedCpus()).size();
  }

  /**
   * Policy restricted keeps a claim in one NUMA node if its CPUs are not more than the largest one
   * has, reserved or not, and its memory not more than is allocatable in one
   * (generateCPUTopologyHints, calculateHints). The policies none and best-effort leave no slot.
   */
  private static Optional<Claim> largestUnsplit(Machine machine) {
    List<NumaNode> all = machine.topology().numaNodes();
    if (all.size() == 1
        || machine.kubelet().topologyManagerPolicy() == TopologyManagerPolicy.SINGLE_NUMA_NODE) {
      return Optional.empty();
    }
    return Optional.of(
        new Claim(
            all.stream().mapToInt(node -> node.cpus().size()).max().orElse(0),
            all.stream().mapToLong(machine::allocatableMemoryBytes).max().orElse(0)));
  }

  /** Slots of the empty node. */
  int slots() {
    return numaNodes.stream().mapToInt(NumaSlots::slots).sum();
  }

  private int mostSlotsOfANumaNode() {
    return numaNodes.stream().mapToInt(NumaSlots::slots).max().orElse(0);
  }

  boolean isSplit(Claim claim) {
    return largestUnsplit
        .filter(
            largest ->
                claim.cpus() > largest.cpus()
                    || countsMemory && claim.memoryBytes() > largest.memoryBytes())
        .isPresent();
  }

  /** CPUs that executors can count on, in all NUMA nodes. */
  int cpus() {
    return numaNodes.stream().mapToInt(NumaSlots::cpus).sum();
  }

  /** CPUs that take every slot of any one NUMA node. */
  int cpusOfANumaNode() {
    return numaNodes.stream().mapToInt(NumaSlots::cpus).max().orElse(0);
  }

  /** Bytes that take every slot of any one NUMA node; 0 if memory is not counted. */
  long bytesOfANumaNode() {
    return countsMemory ? numaNodes.stream().mapToLong(NumaSlots::bytes).max().orElse(0) : 0;
  }

  /**
   * The most slots that a claim takes in a NUMA node, whatever else is there: max(ceil(p/c),
   * ceil(m/M)), because floor((x - p) / c) is at least floor(x / c) - ceil(p / c).
   */
  int slotsOf(Claim claim) {
    long byCpus = ceiling(claim.cpus(), slotCpus);
    long byMemory = countsMemory ? ceiling(claim.memoryBytes(), slotBytes) : 0;
    return (int) Math.min(mostSlotsOfANumaNode(), Math.max(byCpus, byMemory));
  }

  static long ceiling(long amount, long unit) {
    return amount / unit + (amount % unit == 0 ? 0 : 1);
  }
}
