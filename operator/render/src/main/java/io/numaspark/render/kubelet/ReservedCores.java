package io.numaspark.render.kubelet;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses the cores of the system where they cost the fewest executors.
 *
 * <p>Limit: all executors have the same number of cores; memory is not looked at.
 */
final class ReservedCores {
  private ReservedCores() {}

  /**
   * Whole cores to reserve: first those that no executor could use anyway (the remainder of each
   * NUMA node), one a NUMA node in turn, then as many as are missing from one NUMA node after
   * another, so that they break up as few executors as possible. Inside of a NUMA node the lowest
   * cores are taken, where the kernel's own work is by default.
   *
   * @param number of cores, less than the machine has
   * @param executorCores cores of one executor
   */
  static CpuSet choose(NodeTopology topology, int number, int executorCores) {
    List<NumaNode> numaNodes = topology.numaNodesWithCores();
    Map<NumaNode, Integer> taken = new LinkedHashMap<>();
    numaNodes.forEach(numaNode -> taken.put(numaNode, 0));
    int missing = number;
    for (int round = 1; round < executorCores && missing > 0; round++) {
      for (NumaNode numaNode : numaNodes) {
        if (missing > 0 && numaNode.cores().size() % executorCores >= round) {
          taken.merge(numaNode, 1, Integer::sum);
          missing--;
        }
      }
    }
    for (NumaNode numaNode : numaNodes) {
      int more = Math.min(missing, numaNode.cores().size() - taken.get(numaNode));
      taken.merge(numaNode, more, Integer::sum);
      missing -= more;
    }
    return CpuSet.unionOf(
        numaNodes.stream()
            .flatMap(numaNode -> numaNode.cores().stream().limit(taken.get(numaNode)))
            .map(Core::threads)
            .toList());
  }
}
