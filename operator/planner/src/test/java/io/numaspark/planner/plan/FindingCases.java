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
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * States of a machine, each with the one finding that it is about: its severity, reason, and words
 * of message and remedy.
 */
final class FindingCases {
  private FindingCases() {}

  static MachineBuilder healthy() {
    return machine(Topologies.dualSocketHt()).reserving("0,16");
  }

  static MachineBuilder oneNumaNode() {
    return machine(TopologyBuilder.sockets(1).cores(8).threads(2).build()).reserving("0,8");
  }

  static Stream<Arguments> ofSettings() {
    return Stream.of(
        // The policies of the managers.
        one(
            "CPU manager none",
            machine(Topologies.singleSocketNoSmt())
                .reserving("0")
                .with(CpuManagerPolicy.NONE)
                .without(KubeletSettings.FULL_PCPUS_ONLY),
            ERROR,
            "CpuManagerNotStatic",
            "cpuManagerPolicy is none: no container gets exclusive CPUs",
            "cpuManagerPolicy: static"),
        one(
            "topology manager none",
            healthy().with(TopologyManagerPolicy.NONE),
            ERROR,
            "TopologyManagerNotSingleNumaNode",
            "topologyManagerPolicy is none: an executor may get CPUs of several NUMA nodes",
            "topologyManagerPolicy: single-numa-node"),
        one(
            "topology manager best-effort",
            healthy().with(TopologyManagerPolicy.BEST_EFFORT),
            ERROR,
            "TopologyManagerNotSingleNumaNode",
            "topologyManagerPolicy is best-effort: an executor may get CPUs of several NUMA nodes",
            "topologyManagerPolicy: single-numa-node"),
        one(
            "topology manager restricted",
            healthy().with(TopologyManagerPolicy.RESTRICTED),
            WARNING,
            "TopologyManagerNotSingleNumaNode",
            "topologyManagerPolicy is restricted: executors of the plan stay in one NUMA node",
            "topologyManagerPolicy: single-numa-node"),
        one(
            "scope container",
            healthy().with(TopologyManagerScope.CONTAINER),
            WARNING,
            "TopologyManagerScopeNotPod",
            "containers of one pod may land on different NUMA nodes",
            "topologyManagerScope: pod"),
        one(
            "memory manager None",
            healthy().with(MemoryManagerPolicy.NONE),
            WARNING,
            "MemoryManagerNotStatic",
            "memory is local only by first touch",
            "memoryManagerPolicy: Static and reservedMemory"),
        one(
            "no full cores",
            healthy().without(KubeletSettings.FULL_PCPUS_ONLY),
            WARNING,
            "FullPcpusOnlyOff",
            "another pod with an odd number of CPUs can share a core with an executor",
            "full-pcpus-only: \"true\""),
        // Options.
        one(
            "unknown option",
            healthy().with("full-cpus-only"),
            ERROR,
            "KubeletOptionInvalid",
            "spec.kubelet.cpuManagerPolicyOptions.full-cpus-only: the kubelet knows no such option, so the kubelet does not start",
            "there are align-by-socket, distribute-cpus-across-cores"),
        one(
            "options of the CPU manager none",
            healthy().with(CpuManagerPolicy.NONE),
            List.of(ERROR, ERROR),
            "KubeletOptionInvalid",
            "spec.kubelet.cpuManagerPolicyOptions: the CPU manager policy none takes no options",
            "cpuManagerPolicy: static"),
        one(
            "unknown feature gate",
            healthy().withFeatureGate("CPUManagerPolicyGammaOptions"),
            ERROR,
            "KubeletOptionInvalid",
            "spec.kubelet.featureGates.CPUManagerPolicyGammaOptions: the kubelet knows no such feature gate",
            "write one of CPUManagerPolicyAlphaOptions, "),
        one(
            "alpha gate that is not covered",
            healthy().withFeatureGate("PodLevelResourceManagers"),
            ERROR,
            "KubeletNotCovered",
            "spec.kubelet.featureGates.PodLevelResourceManagers: this alpha gate is on",
            "switch it off"),
        one(
            "preference for near NUMA nodes without distances",
            machine(withId(Topologies.dualSocketHt(), 1, 8))
                .reserving("0,16")
                .with(TopologyManagerPolicy.RESTRICTED)
                .withTopologyOption("prefer-closest-numa-nodes", "true"),
            List.of(ERROR, WARNING),
            "KubeletOptionInvalid",
            "spec.numaNodes[id=8].distances: prefer-closest-numa-nodes needs the distances of every NUMA node",
            "remove the option"),
        one(
            "distribution and cache alignment",
            healthy().with("prefer-align-cpus-by-uncorecache").with("distribute-cpus-across-numa"),
            List.of(ERROR, INFO),
            "CpuManagerOptionsConflict",
            "prefer-align-cpus-by-uncorecache and distribute-cpus-across-numa exclude each other",
            "remove distribute-cpus-across-numa"),
        one(
            "distribution over cores and full cores",
            healthy()
                .with("distribute-cpus-across-cores")
                .withFeatureGate("CPUManagerPolicyAlphaOptions"),
            ERROR,
            "CpuManagerOptionsConflict",
            "full-pcpus-only and distribute-cpus-across-cores exclude each other",
            "remove distribute-cpus-across-cores"),
        one(
            "align-by-socket with single-numa-node",
            healthy().with("align-by-socket").withFeatureGate("CPUManagerPolicyAlphaOptions"),
            ERROR,
            "CpuManagerOptionsConflict",
            "align-by-socket and the topologyManagerPolicy single-numa-node exclude each other",
            "remove the option"),
        one(
            "option with a value that is none",
            healthy().with("strict-cpu-reservation", "yes"),
            ERROR,
            "KubeletOptionInvalid",
            "cpuManagerPolicyOptions.strict-cpu-reservation: 'yes' is neither true nor false",
            "write \"true\" or \"false\""),
        one(
            "unknown option of the topology manager",
            healthy().withTopologyOption("prefer-far-numa-nodes", "true"),
            ERROR,
            "KubeletOptionInvalid",
            "topologyManagerPolicyOptions.prefer-far-numa-nodes: the kubelet knows no such option",
            "there are max-allowable-numa-nodes, prefer-closest-numa-nodes"),
        one(
            "fewer NUMA nodes allowed than the kubelet lets one",
            healthy().withTopologyOption("max-allowable-numa-nodes", "4"),
            ERROR,
            "KubeletOptionInvalid",
            "max-allowable-numa-nodes: '4' is no whole number of at least 8",
            "write for example"),
        one(
            "alpha option without its gate",
            oneNumaNode().with(TopologyManagerPolicy.NONE).with("align-by-socket"),
            ERROR,
            "OptionNeedsFeatureGate",
            "align-by-socket: the option needs the feature gate CPUManagerPolicyAlphaOptions",
            "CPUManagerPolicyAlphaOptions: true"),
        one(
            "preference that single-numa-node ignores",
            healthy().withTopologyOption("prefer-closest-numa-nodes", "true"),
            INFO,
            "OptionWithoutEffect",
            "prefer-closest-numa-nodes does nothing with single-numa-node",
            "remove it"),
        one(
            "option without effect",
            healthy().with("distribute-cpus-across-numa"),
            INFO,
            "OptionWithoutEffect",
            "distribute-cpus-across-numa does nothing for executors",
            "remove it"),
        one(
            "split last-level cache",
            machine(Topologies.epycNps4()).reserving("0,192"),
            INFO,
            "UncoreCacheNotAligned",
            "NUMA node 0 has 3 last-level caches",
            "prefer-align-cpus-by-uncorecache: \"true\""));
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
            "NUMA node 1 has 131072 MiB beside its huge pages, less than the 132096 MiB",
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
            "spec.numaNodes: with 32 NUMA nodes the kubelet goes through at least 2^32 sets",
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
