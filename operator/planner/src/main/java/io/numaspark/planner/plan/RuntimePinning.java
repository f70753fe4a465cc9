package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.KubeletSettings.CpuManager;
import io.numaspark.planner.topology.KubeletSettings.MemoryManager;
import io.numaspark.planner.topology.KubeletSettings.TopologyManager;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How executors are pinned by the container runtime: which CPUs and how much memory of each NUMA
 * node all other containers share.
 *
 * @param sharedCoresPerNumaNode whole cores, the first of each NUMA node; 0 or more
 * @param sharedBytesPerNumaNode memory that is left; empty for a twentieth, at least 512 MiB
 */
public record RuntimePinning(
    int sharedCoresPerNumaNode, OptionalLong sharedBytesPerNumaNode, PinnedBy.Memory memory) {
  private static final long LEAST_SHARED_BYTES = 512L << 20;
  private static final int SHARED_PART = 20;

  /**
   * The same machine, pinned by the runtime. Its settings are those of a kubelet that gives
   * executors whole cores of one NUMA node and counts memory, which is what the layout does. Cores
   * with fewer online threads than others are not part of it, because executors are equal.
   */
  public Machine pin(Machine known) {
    // No kubelet places these executors: nodes that differ by its version are one class.
    Machine actual =
        new Machine(
            known.topology(), known.kubelet().withVersion(Optional.empty()), known.pinnedBy());
    Machine machine = new Machine(ofWholeCores(actual.topology()), actual.kubelet());
    SortedMap<String, String> options = new TreeMap<>();
    options.put(KubeletSettings.FULL_PCPUS_ONLY, "true");
    return new Machine(
        machine.topology(),
        new KubeletSettings(
            new CpuManager(
                CpuManagerPolicy.STATIC, options, new CpuReservation.Explicit(shared(machine))),
            new TopologyManager(
                TopologyManagerPolicy.SINGLE_NUMA_NODE, TopologyManagerScope.POD, new TreeMap<>()),
            new MemoryManager(MemoryManagerPolicy.STATIC, sharedBytes(machine), new TreeMap<>()),
            new TreeMap<>()),
        new PinnedBy.Runtime(actual, memory));
  }

  private static NodeTopology ofWholeCores(NodeTopology topology) {
    if (topology.isUniform()) {
      return topology;
    }
    int threads =
        topology.cores().stream().mapToInt(core -> core.threads().size()).max().orElseThrow();
    return new NodeTopology(
        topology.numaNodes().stream()
            .map(
                numaNode ->
                    numaNode.withCores(
                        numaNode.cores().stream()
                            .filter(core -> core.threads().size() == threads)
                            .toList()))
            .toList());
  }

  /**
   * Whole cores for all other containers: the first of each NUMA node, those that the kubelet
   * reserves, and as many more as the kubelet's reservation counts, so that the scheduler never
   * promises executors more CPUs than the slots have. At least one.
   */
  private CpuSet shared(Machine machine) {
    CpuSet reserved = machine.reservedCpus();
    NodeTopology topology = machine.topology();
    List<CpuSet> chosen = new ArrayList<>();
    for (Core core : topology.cores()) {
      if (core.threads().intersects(reserved)) {
        chosen.add(core.threads());
      }
    }
    for (int i = 0; i < sharedCoresPerNumaNode; i++) {
      chosen.addAll(coresAt(topology, i));
    }
    int wanted = Math.max(1, reserved.size());
    for (int i = 0; CpuSet.unionOf(chosen).size() < wanted; i++) {
      for (CpuSet core : coresAt(topology, i)) {
        if (CpuSet.unionOf(chosen).size() < wanted) {
          chosen.add(core);
        }
      }
    }
    return CpuSet.unionOf(chosen);
  }

  /** The core at that index of each NUMA node that has so many. */
  private static List<CpuSet> coresAt(NodeTopology topology, int index) {
    return topology.numaNodes().stream()
        .filter(numaNode -> numaNode.cores().size() > index)
        .map(numaNode -> numaNode.cores().get(index).threads())
        .toList();
  }

  private SortedMap<Integer, Long> sharedBytes(Machine machine) {
    SortedMap<Integer, Long> shared = new TreeMap<>();
    for (NumaNode numaNode : machine.topology().numaNodes()) {
      long left = numaNode.memoryBytes() - numaNode.hugepageBytes();
      long reserved = machine.kubelet().reservedMemoryBytes().getOrDefault(numaNode.id(), 0L);
      long wanted = sharedBytesPerNumaNode.orElse(Math.max(LEAST_SHARED_BYTES, left / SHARED_PART));
      shared.put(numaNode.id(), Math.min(Math.max(0, left), Math.max(reserved, wanted)));
    }
    return shared;
  }
}
