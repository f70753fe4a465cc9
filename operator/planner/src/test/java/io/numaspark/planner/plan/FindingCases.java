package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static io.numaspark.planner.plan.Finding.Severity.ERROR;
import static io.numaspark.planner.plan.Finding.Severity.INFO;
import static io.numaspark.planner.plan.Finding.Severity.WARNING;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * States of a machine's reservations and hardware, each with the one finding that it is about: its
 * severity, reason, and words of message and remedy.
 */
final class FindingCases {
  private FindingCases() {}

  static MachineBuilder healthy() {
    return machine(Topologies.dualSocketHt()).reserving("0,16");
  }

  static MachineBuilder oneNumaNode() {
    return machine(TopologyBuilder.sockets(1).cores(8).threads(2).build()).reserving("0,8");
  }

  static Stream<Arguments> ofReservationsAndHardware() {
    return Stream.of(
        // Reserved CPUs.
        one(
            "nothing reserved",
            machine(Topologies.dualSocketHt()),
            ERROR,
            "NoCpuReservation",
            "spec.kubelet.reservedCpus: the CPU manager policy static needs a CPU reservation",
            "reservedSystemCPUs"),
        one(
            "reserved CPUs offline",
            machine(Topologies.dualSocketHt()).reserving("0,16,32-33"),
            ERROR,
            "ReservedCpusOffline",
            "CPUs 32-33 are not online on this node (0-31), so the kubelet does not start",
            "reservedSystemCPUs"),
        one(
            "lone reserved thread",
            machine(Topologies.dualSocketHt()).reserving("16"),
            WARNING,
            "LoneReservedThread",
            "of core 0,16 only 16 is reserved",
            "reserve all threads of a core: 0,16, or none"),
        one(
            "a whole core chosen by the kubelet",
            machine(Topologies.dualSocketHt()).reservingCount(2),
            INFO,
            "ReservationNotExplicit",
            "the kubelet chooses which CPUs it reserves (0,16)",
            "name whole cores in reservedSystemCPUs"),
        one(
            "a lone thread chosen by the kubelet",
            machine(Topologies.dualSocketHt()).reservingCount(3),
            List.of(INFO, WARNING),
            "LoneReservedThread",
            "of core 1,17 only 1 is reserved",
            "reserve all threads of a core: 1,17"),
        // Memory.
        one(
            "no memory reserved with a static memory manager",
            healthy().reservingNoMemory(),
            ERROR,
            "MemoryNotReserved",
            "spec.kubelet.reservedMemory: the Memory Manager policy Static needs reserved memory",
            "kubeReserved + systemReserved + evictionHard"),
        one(
            "no memory reserved without memory manager",
            oneNumaNode().with(MemoryManagerPolicy.NONE).reservingNoMemory(),
            INFO,
            "MemoryNotReserved",
            "executors are sized to all of the memory",
            "spec.kubelet.reservedMemory"),
        one(
            "nothing but zeros reserved",
            healthy().reservingMemory(0, 0).reservingMemory(1, 0),
            ERROR,
            "MemoryNotReserved",
            "spec.kubelet.reservedMemory: the Memory Manager policy Static needs reserved memory",
            "kubeReserved + systemReserved + evictionHard"),
        one(
            "reservation of an unknown NUMA node",
            healthy().reservingMemory(0, GIB).reservingMemory(7, GIB),
            ERROR,
            "ReservedMemoryInvalid",
            "spec.kubelet.reservedMemory[7]: there is no NUMA node 7",
            "write one of [0, 1]"),
        one(
            "more reserved than a NUMA node has",
            healthy().reservingMemory(1, 129 * GIB),
            ERROR,
            "ReservedMemoryTooLarge",
            "NUMA node 1 has 131072 MiB without its huge pages, less than the 132096 MiB",
            "reserve less memory"),
        one(
            "more reserved than a NUMA node has, without memory manager",
            healthy().with(MemoryManagerPolicy.NONE).reservingMemory(1, 129 * GIB),
            List.of(WARNING, WARNING),
            "ReservedMemoryTooLarge",
            "executors get none there",
            "reserve less memory"),
        one(
            "more reserved than the machine has",
            oneNumaNode().with(MemoryManagerPolicy.NONE).reservingMemory(0, 129 * GIB),
            ERROR,
            "ReservedMemoryTooLarge",
            "138512695296 bytes are reserved of 137438953472 that the node has, so the kubelet does not start",
            "reserve less memory"),
        one(
            "huge pages",
            machine(withHugepages(65 * GIB)).reserving("0,16"),
            WARNING,
            "HugepagesTakeMemory",
            "preallocated huge pages take 66560 of 131072 MiB of NUMA node 0",
            "allocate fewer huge pages"),
        // Hardware.
        one(
            "a sibling offline",
            machine(Topologies.oneSiblingOffline()).reserving("0,8"),
            ERROR,
            "OfflineSibling",
            "the kubelet then gives the same CPU to two pods (kubernetes issue 124066)",
            "bring all threads online"),
        one(
            "NUMA id above 63",
            machine(Topologies.withMemoryNode(252)).reserving("0,16"),
            List.of(ERROR, INFO),
            "NumaIdTooLarge",
            "NUMA node id 252 is above 63: the kubelet's topology manager panics",
            "take the NUMA node offline"),
        one(
            "16 NUMA nodes",
            machine(TopologyBuilder.sockets(2).numaNodesPerSocket(8).cores(4).build())
                .reserving("0"),
            ERROR,
            "TooManyNumaNodes",
            "the node has 16 NUMA nodes, and the Topology Manager takes at most 8",
            "max-allowable-numa-nodes: \"16\""),
        one(
            "32 NUMA nodes that are allowed",
            machine(TopologyBuilder.sockets(2).numaNodesPerSocket(16).cores(4).build())
                .reserving("0")
                .withTopologyOption("max-allowable-numa-nodes", "32"),
            ERROR,
            "KubeletNotCovered",
            "spec.numaNodes: with 32 NUMA nodes the kubelet tries at least 2^32 sets",
            "at most 16 are covered"),
        one(
            "memory without CPUs",
            machine(Topologies.withMemoryNode(63)).reserving("0,16"),
            INFO,
            "NumaNodeWithoutCpus",
            "NUMA node 63 has no CPUs: executors do not get its 256 GiB",
            "none is needed"),
        one(
            "NUMA nodes of different size",
            machine(withMemory(64 * GIB)).reserving("0,16"),
            INFO,
            "NumaNodesDiffer",
            "the NUMA nodes have 8 to 8 cores and 64 to 128 GiB",
            "equip all sockets alike"));
  }

  static NodeTopology withId(NodeTopology topology, int from, int to) {
    return new NodeTopology(
        topology.numaNodes().stream()
            .map(n -> n.id() == from ? copy(n, to, n.memoryBytes(), n.hugepageBytes()) : n)
            .toList());
  }

  static NodeTopology withMemory(long bytesOfTheFirst) {
    return new NodeTopology(
        Topologies.dualSocketHt().numaNodes().stream()
            .map(n -> n.id() == 0 ? copy(n, 0, bytesOfTheFirst, 0) : n)
            .toList());
  }

  static NodeTopology withHugepages(long bytesOfTheFirst) {
    return new NodeTopology(
        Topologies.dualSocketHt().numaNodes().stream()
            .map(n -> n.id() == 0 ? copy(n, 0, n.memoryBytes(), bytesOfTheFirst) : n)
            .toList());
  }

  static NumaNode copy(NumaNode node, int id, long memory, long hugepages) {
    return new NumaNode(
        id, node.socket(), memory, hugepages, List.of(), node.cores(), node.caches());
  }

  static Arguments one(
      String state,
      MachineBuilder machine,
      Severity severity,
      String reason,
      String message,
      String remedy) {
    return one(state, machine, List.of(severity), reason, message, remedy);
  }

  static Arguments one(
      String state,
      MachineBuilder machine,
      List<Severity> severities,
      String reason,
      String message,
      String remedy) {
    return Arguments.of(state, machine.build(), severities, reason, message, remedy);
  }
}
