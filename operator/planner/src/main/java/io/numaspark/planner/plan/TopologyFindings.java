package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.Collectors;

/** Hardware that the kubelet cannot handle, or that executors of one shape cannot fill. */
final class TopologyFindings {
  /** The kubelet keeps NUMA nodes in a 64-bit mask and panics beyond (bitmask.go). */
  private static final int LARGEST_NUMA_ID = 63;

  private static final long GIB = 1L << 30;

  private TopologyFindings() {}

  static void add(Machine machine, Findings findings) {
    NodeTopology topology = machine.topology();
    if (!topology.isUniform()) {
      findings.error(
          Reason.OFFLINE_SIBLING,
          "the cores have different numbers of online threads: the kubelet then gives the same CPU to two pods"
              + " (kubernetes issue 124066)",
          "bring all threads online, or switch SMT off as a whole");
    }
    topology.numaNodes().stream()
        .mapToInt(NumaNode::id)
        .filter(id -> id > LARGEST_NUMA_ID)
        .findFirst()
        .ifPresent(
            id ->
                findings.error(
                    Reason.NUMA_ID_TOO_LARGE,
                    "NUMA node id "
                        + id
                        + " is above "
                        + LARGEST_NUMA_ID
                        + ": the kubelet's topology manager panics",
                    "take the NUMA node offline (POWER9 GPU memory has such ids)"));
    addDifferences(topology, findings);
  }

  private static void addDifferences(NodeTopology topology, Findings findings) {
    List<NumaNode> withCores = topology.numaNodesWithCores();
    for (NumaNode numaNode : topology.numaNodes()) {
      if (numaNode.cores().isEmpty()) {
        findings.info(
            Reason.NUMA_NODE_WITHOUT_CPUS,
            "NUMA node %d has no CPUs: executors do not get its %d GiB"
                .formatted(numaNode.id(), numaNode.memoryBytes() / GIB),
            "none is needed; leave such memory (CXL, high-bandwidth memory) to other pods");
      }
    }
    IntSummaryStatistics cores =
        withCores.stream().collect(Collectors.summarizingInt(numaNode -> numaNode.cores().size()));
    LongSummaryStatistics memory =
        withCores.stream().collect(Collectors.summarizingLong(NumaNode::memoryBytes));
    // MemTotal of equally equipped NUMA nodes differs by what the kernel took at boot.
    boolean memoryDiffers = memory.getMin() < memory.getMax() / 10 * 9;
    if (cores.getMin() < cores.getMax() || memoryDiffers) {
      findings.info(
          Reason.NUMA_NODES_DIFFER,
          "the NUMA nodes have %d to %d cores and %d to %d GiB: executors of one shape leave more unused on some"
              .formatted(
                  cores.getMin(), cores.getMax(), memory.getMin() / GIB, memory.getMax() / GIB),
          "equip all sockets alike, or choose a shape that divides each NUMA node");
    }
  }
}
