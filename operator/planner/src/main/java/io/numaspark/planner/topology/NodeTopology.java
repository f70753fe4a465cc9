package io.numaspark.planner.topology;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sockets, NUMA nodes, cores and threads of one node.
 *
 * <p>Construction fails on what cannot be: a CPU in two cores, a cache that leaves its NUMA node,
 * no core at all.
 */
public record NodeTopology(List<NumaNode> numaNodes) {

  public NodeTopology {
    numaNodes = numaNodes.stream().sorted(Comparator.comparingInt(NumaNode::id)).toList();
    Set<Integer> ids = new HashSet<>();
    CpuSet seen = CpuSet.EMPTY;
    for (NumaNode numaNode : numaNodes) {
      if (!ids.add(numaNode.id())) {
        throw new IllegalArgumentException("NUMA node " + numaNode.id() + " appears twice");
      }
      for (Core core : numaNode.cores()) {
        CpuSet twice = seen.intersect(core.threads());
        if (!twice.isEmpty()) {
          throw new IllegalArgumentException(
              "CPUs "
                  + twice
                  + " of core "
                  + core.id()
                  + " in NUMA node "
                  + numaNode.id()
                  + " already belong to another core");
        }
        seen = seen.union(core.threads());
      }
      for (CpuSet cache : numaNode.caches()) {
        if (!numaNode.cpus().containsAll(cache)) {
          throw new IllegalArgumentException(
              "cache "
                  + cache
                  + " has CPUs outside of its NUMA node "
                  + numaNode.id()
                  + " ("
                  + numaNode.cpus()
                  + ")");
        }
      }
    }
    if (seen.isEmpty()) {
      throw new IllegalArgumentException("no NUMA node has a core");
    }
  }

  /** All online hardware threads. */
  public CpuSet cpus() {
    return CpuSet.unionOf(numaNodes.stream().map(NumaNode::cpus).toList());
  }

  /** All cores, by NUMA node and id. */
  public List<Core> cores() {
    return numaNodes.stream().flatMap(numaNode -> numaNode.cores().stream()).toList();
  }

  /** The NUMA nodes that have cores. */
  public List<NumaNode> numaNodesWithCores() {
    return numaNodes.stream().filter(numaNode -> !numaNode.cores().isEmpty()).toList();
  }

  public int sockets() {
    return (int) numaNodes.stream().mapToInt(NumaNode::socket).distinct().count();
  }

  /**
   * Threads of a core as the kubelet counts them: CPUs / cores, rounded down (topology.go:
   * CPUsPerCore).
   */
  public int threadsPerCore() {
    return cpus().size() / cores().size();
  }

  /** Whether all cores have the same number of online threads. */
  public boolean isUniform() {
    return cores().stream().allMatch(core -> core.threads().size() == threadsPerCore());
  }

  public long memoryBytes() {
    return numaNodes.stream().mapToLong(NumaNode::memoryBytes).sum();
  }

  /** The topology in one line, for people. */
  public String describe() {
    return "%s, %s, %s, %s a core, %d GiB"
        .formatted(
            count(sockets(), "socket"),
            count(numaNodes.size(), "NUMA node"),
            count(cores().size(), "core"),
            count(threadsPerCore(), "thread"),
            Math.round(memoryBytes() / (double) (1L << 30)));
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
