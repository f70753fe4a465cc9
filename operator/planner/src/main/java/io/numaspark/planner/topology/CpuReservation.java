package io.numaspark.planner.topology;

import java.util.Comparator;
import java.util.List;

/** CPUs that the kubelet keeps out of exclusive hands. */
public sealed interface CpuReservation {

  /** The reserved CPUs on a node of this topology. */
  CpuSet resolve(NodeTopology topology);

  /** The kubelet's reservedSystemCPUs. */
  record Explicit(CpuSet cpus) implements CpuReservation {
    @Override
    public CpuSet resolve(NodeTopology topology) {
      return cpus;
    }
  }

  /**
   * kubeReserved.cpu + systemReserved.cpu, rounded up; the kubelet chooses the CPUs.
   *
   * <p>NewStaticPolicy takes them with takeByTopology from all CPUs: whole cores first, from the
   * NUMA node with the fewest CPUs (lowest id on a tie), then single threads. Reservations as large
   * as a whole NUMA node are not covered.
   */
  record Counted(int count) implements CpuReservation {
    @Override
    public CpuSet resolve(NodeTopology topology) {
      List<Core> inOrder =
          topology.numaNodesWithCores().stream()
              .sorted(
                  Comparator.comparingInt((NumaNode n) -> n.cpus().size())
                      .thenComparingInt(NumaNode::id))
              .flatMap(n -> n.cores().stream())
              .toList();
      CpuSet taken = CpuSet.EMPTY;
      for (Core core : inOrder) {
        int missing = count - taken.size();
        if (missing <= 0) {
          break;
        }
        taken = taken.union(CpuSet.of(core.threads().stream().limit(missing)));
      }
      return taken;
    }
  }

  /** No reservation: the static CPU manager refuses to start. */
  record None() implements CpuReservation {
    @Override
    public CpuSet resolve(NodeTopology topology) {
      return CpuSet.EMPTY;
    }
  }
}
