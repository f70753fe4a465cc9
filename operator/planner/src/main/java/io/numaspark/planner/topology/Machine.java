package io.numaspark.planner.topology;

import java.util.List;

/** A node as the planner sees it; nodes with equal machines form a node class. */
public record Machine(NodeTopology topology, KubeletSettings kubelet) {

  public CpuSet reservedCpus() {
    return kubelet.reservedCpus().cpus();
  }

  /** Cores of a NUMA node that have no reserved thread, in ascending order of their ids. */
  public List<Core> freeCores(NumaNode numaNode) {
    CpuSet reserved = reservedCpus();
    return numaNode.cores().stream().filter(core -> !core.threads().intersects(reserved)).toList();
  }

  /**
   * Memory of a NUMA node that pods can get: MemTotal less reserved memory and huge pages
   * (memorymanager/policy_static.go: getDefaultMachineState).
   */
  public long allocatableMemoryBytes(NumaNode numaNode) {
    long reserved = kubelet.reservedMemoryBytes().getOrDefault(numaNode.id(), 0L);
    return Math.max(0, numaNode.memoryBytes() - numaNode.hugepageBytes() - reserved);
  }
}
