package io.numaspark.cli.trial;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Divides the cores of a machine among executors: as many for each, whole cores of one NUMA node.
 *
 * <p>Limit: all NUMA nodes with cores have to have equally many.
 */
final class CoreShares {
  private final NodeTopology topology;

  CoreShares(NodeTopology topology) {
    this.topology = topology;
  }

  /** Physical cores. */
  int cores() {
    return topology.cores().size();
  }

  int threads() {
    return topology.cpus().size();
  }

  int numaNodes() {
    return topology.numaNodesWithCores().size();
  }

  /**
   * @param executors 1 or more
   * @return empty if an executor would have to span NUMA nodes, or cores would be left over
   */
  Optional<List<CoreShare>> of(int executors) {
    List<NumaNode> nodes = topology.numaNodesWithCores();
    int coresOfNode = nodes.get(0).cores().size();
    boolean equal = nodes.stream().allMatch(node -> node.cores().size() == coresOfNode);
    if (!equal || executors % nodes.size() != 0 || coresOfNode % (executors / nodes.size()) != 0) {
      return Optional.empty();
    }
    int coresOfExecutor = coresOfNode / (executors / nodes.size());
    List<CoreShare> shares = new ArrayList<>();
    for (NumaNode node : nodes) {
      for (int first = 0; first < coresOfNode; first += coresOfExecutor) {
        List<Core> own = node.cores().subList(first, first + coresOfExecutor);
        shares.add(
            new CoreShare(CpuSet.unionOf(own.stream().map(Core::threads).toList()), node.id()));
      }
    }
    return Optional.of(shares);
  }

  /** The NUMA node on the other side: the nodes are mirrored, so that each has the same load. */
  int opposite(int numaNode) {
    List<Integer> ids = topology.numaNodesWithCores().stream().map(NumaNode::id).toList();
    return ids.get(ids.size() - 1 - ids.indexOf(numaNode));
  }
}
