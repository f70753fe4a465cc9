package io.numaspark.planner.topology;

import java.util.List;

/**
 * A node as the planner sees it; nodes with equal machines form a node class.
 *
 * @param kubelet the settings by which executors get CPUs and memory
 * @param pinnedBy what applies them
 */
public record Machine(NodeTopology topology, KubeletSettings kubelet, PinnedBy pinnedBy) {
  /**
   * Firmware and kernel take a few MiB more or less of the same memory from one node to the next.
   */
  private static final long SAME_MEMORY_BYTES = 64L << 20;

  /** A machine whose kubelet pins. */
  public Machine(NodeTopology topology, KubeletSettings kubelet) {
    this(topology, kubelet, new PinnedBy.Kubelet(true));
  }

  /** Whether the container runtime pins, and the kubelet's own settings do not matter. */
  public boolean isPinnedByRuntime() {
    return pinnedBy instanceof PinnedBy.Runtime;
  }

  /** The same machine, on which nothing is pinned. */
  public Machine observed() {
    return new Machine(topology, kubelet, pinnedBy.observed());
  }

  /**
   * The machine that stands for all nodes of its kind: the memory of each NUMA node is rounded down
   * to whole 64 MiB, so that nodes which differ by less are one class.
   */
  public Machine ofNodeClass() {
    return new Machine(
        new NodeTopology(
            topology.numaNodes().stream()
                .map(node -> node.withMemoryBytes(roundedDown(node.memoryBytes())))
                .toList()),
        kubelet,
        pinnedBy instanceof PinnedBy.Runtime runtime
            ? new PinnedBy.Runtime(
                runtime.actual().ofNodeClass(), runtime.memory(), runtime.enforced())
            : pinnedBy);
  }

  private static long roundedDown(long bytes) {
    return bytes < SAME_MEMORY_BYTES ? bytes : bytes / SAME_MEMORY_BYTES * SAME_MEMORY_BYTES;
  }

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
