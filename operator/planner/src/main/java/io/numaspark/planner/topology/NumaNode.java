package io.numaspark.planner.topology;

import java.util.Comparator;
import java.util.List;

/**
 * A NUMA node: a memory controller with its cores, or with none (CXL or high-bandwidth memory).
 *
 * @param id Linux's number, sparse on some machines (0, 8)
 * @param socket the socket it belongs to
 * @param memoryBytes MemTotal
 * @param hugepageBytes preallocated huge pages, which the kubelet does not give out as memory
 * @param distances relative distances to all NUMA nodes in order of their ids, 10 is local; may be
 *     empty
 * @param cores physical cores, sorted by id
 * @param caches last-level cache domains; may be empty when unknown
 */
public record NumaNode(
    int id,
    int socket,
    long memoryBytes,
    long hugepageBytes,
    List<Integer> distances,
    List<Core> cores,
    List<CpuSet> caches) {

  public NumaNode {
    if (memoryBytes < 0 || hugepageBytes < 0) {
      throw new IllegalArgumentException("NUMA node " + id + ": memory must not be negative");
    }
    distances = List.copyOf(distances);
    cores = cores.stream().sorted(Comparator.comparingInt(Core::id)).toList();
    caches = List.copyOf(caches);
  }

  /** All online hardware threads. */
  public CpuSet cpus() {
    return CpuSet.unionOf(cores.stream().map(Core::threads).toList());
  }
}
