package io.numaspark.planner.plan;

import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import java.util.Set;
import java.util.stream.Collectors;

/** Reservations of memory that a kubelet refuses, or that leave executors nothing. */
final class MemoryFindings {
  private static final long MIB = 1L << 20;

  private MemoryFindings() {}

  static void add(Machine machine, Findings findings) {
    KubeletSettings kubelet = machine.kubelet();
    boolean isStatic = kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
    if (kubelet.reservedMemoryBytes().values().stream().allMatch(bytes -> bytes == 0)) {
      addNothingReserved(isStatic, findings);
    }
    if (isStatic) {
      addUnknownNodes(machine, findings);
    }
    long sum = kubelet.reservedMemoryBytes().values().stream().mapToLong(Long::longValue).sum();
    if (sum > machine.topology().memoryBytes()) {
      // validateNodeAllocatable.
      findings.error(
          Reason.RESERVED_MEMORY_TOO_LARGE,
          "%d MiB are reserved, and the machine has %d MiB: the kubelet does not start"
              .formatted(sum / MIB, machine.topology().memoryBytes() / MIB),
          "reserve less memory");
      return;
    }
    machine
        .topology()
        .numaNodes()
        .forEach(numaNode -> addNumaNode(machine, numaNode, isStatic, findings));
  }

  private static void addNothingReserved(boolean isStatic, Findings findings) {
    if (isStatic) {
      // NewPolicyStatic: "you should specify the system reserved memory".
      findings.error(
          Reason.MEMORY_NOT_RESERVED,
          "no memory is reserved: a kubelet with memoryManagerPolicy Static does not start",
          "set reservedMemory in the kubelet configuration so that it sums to kubeReserved + systemReserved + evictionHard;"
              + " `numaspark kubelet-config` writes it");
    } else {
      findings.info(
          Reason.MEMORY_NOT_RESERVED,
          "spec.kubelet.reservedMemory is empty: executors are sized to all of the memory, but a node offers less by"
              + " kubeReserved, systemReserved and evictionHard (100Mi unless set), so that the last one may not be scheduled",
          "state these amounts in spec.kubelet.reservedMemory of the SparkNodeTopology, or set memoryManagerPolicy: Static");
    }
  }

  private static void addUnknownNodes(Machine machine, Findings findings) {
    Set<Integer> known =
        machine.topology().numaNodes().stream().map(NumaNode::id).collect(Collectors.toSet());
    machine
        .kubelet()
        .reservedMemoryBytes()
        .forEach(
            (id, bytes) -> {
              if (bytes > 0 && !known.contains(id)) {
                // getTotalMemoryTypeReserved.
                findings.error(
                    Reason.RESERVED_MEMORY_INVALID,
                    "reservedMemory names NUMA node "
                        + id
                        + ", which this machine does not have: the kubelet does not start",
                    "correct reservedMemory in the kubelet configuration");
              }
            });
  }

  private static void addNumaNode(
      Machine machine, NumaNode numaNode, boolean isStatic, Findings findings) {
    long reserved = machine.kubelet().reservedMemoryBytes().getOrDefault(numaNode.id(), 0L);
    long left = numaNode.memoryBytes() - numaNode.hugepageBytes();
    if (reserved > left) {
      // getDefaultMachineState subtracts in unsigned numbers, so that the node seems to have room
      // for everything.
      String message =
          "NUMA node %d has %d MiB beside its huge pages, less than the %d MiB of reservedMemory"
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
