package io.numaspark.planner.plan;

import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import java.util.List;

/** Reservations of memory that a kubelet starts with, but that leave executors nothing. */
final class MemoryFindings {
  private static final long MIB = 1L << 20;

  private MemoryFindings() {}

  static void add(Machine machine, Findings findings) {
    KubeletSettings kubelet = machine.kubelet();
    boolean isStatic = kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
    if (!isStatic && kubelet.reservedMemoryBytes().values().stream().allMatch(b -> b == 0)) {
      findings.info(
          Reason.MEMORY_NOT_RESERVED,
          "spec.kubelet.reservedMemory is empty: executors are sized to all of the memory, but a node offers less by"
              + " kubeReserved, systemReserved and evictionHard (100Mi unless set), so that the last one may not be scheduled",
          "state these amounts in spec.kubelet.reservedMemory of the SparkNodeTopology, or set memoryManagerPolicy: Static");
    }
    List<NumaNode> numaNodes = machine.topology().numaNodes();
    // More than the whole machine has is said already; each NUMA node would only repeat it.
    if (!findings.has(Reason.RESERVED_MEMORY_TOO_LARGE)) {
      numaNodes.forEach(numaNode -> addReserved(machine, numaNode, isStatic, findings));
    }
    numaNodes.forEach(numaNode -> addHugepages(numaNode, findings));
  }

  private static void addReserved(
      Machine machine, NumaNode numaNode, boolean isStatic, Findings findings) {
    long reserved = machine.kubelet().reservedMemoryBytes().getOrDefault(numaNode.id(), 0L);
    long left = numaNode.memoryBytes() - numaNode.hugepageBytes();
    if (reserved > left) {
      // getDefaultMachineState subtracts in unsigned numbers, so that the node seems to have room
      // for everything.
      String message =
          "NUMA node %d has %d MiB without its huge pages, less than the %d MiB of reservedMemory"
              .formatted(numaNode.id(), left / MIB, reserved / MIB);
      String remedy = "reserve less memory on this NUMA node, or allocate fewer huge pages";
      if (isStatic) {
        findings.error(
            Reason.RESERVED_MEMORY_TOO_LARGE,
            message + ": the kubelet's memory manager then counts without bounds",
            remedy);
      } else {
        findings.warning(
            Reason.RESERVED_MEMORY_TOO_LARGE, message + ": executors get none there", remedy);
      }
    }
  }

  private static void addHugepages(NumaNode numaNode, Findings findings) {
    if (numaNode.hugepageBytes() > numaNode.memoryBytes() / 2) {
      findings.warning(
          Reason.HUGEPAGES_TAKE_MEMORY,
          "preallocated huge pages take %d of %d MiB of NUMA node %d: the kubelet does not give them out as memory"
              .formatted(
                  numaNode.hugepageBytes() / MIB, numaNode.memoryBytes() / MIB, numaNode.id()),
          "allocate fewer huge pages, then restart the kubelet; Spark's heap uses transparent huge pages, not these");
    }
  }
}
