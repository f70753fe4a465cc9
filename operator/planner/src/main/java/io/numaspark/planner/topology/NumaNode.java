package io.numaspark.planner.topology;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A NUMA node: a memory controller with its cores, or with none (CXL or high-bandwidth memory).
 *
 * @param id Linux's number, sparse on some machines (0, 8)
 * @param socket the socket it belongs to
 * @param memoryBytes MemTotal
 * @param hugepageBytesBySize preallocated huge pages in bytes by page size (2Mi, 1Gi), which the
 *     kubelet does not give out as memory
 * @param distances relative distances to all NUMA nodes in order of their ids, 10 is local; may be
 *     empty
 * @param cores physical cores, sorted by id
 * @param caches last-level cache domains; may be empty when unknown
 */
public record NumaNode(
    int id,
    int socket,
    long memoryBytes,
    SortedMap<String, Long> hugepageBytesBySize,
    List<Integer> distances,
    List<Core> cores,
    List<CpuSet> caches) {

  public NumaNode {
    hugepageBytesBySize = new TreeMap<>(hugepageBytesBySize);
    if (memoryBytes < 0 || hugepageBytesBySize.values().stream().anyMatch(bytes -> bytes < 0)) {
      throw new IllegalArgumentException("NUMA node " + id + ": memory must not be negative");
    }
    distances = List.copyOf(distances);
    cores = cores.stream().sorted(Comparator.comparingInt(Core::id)).toList();
    caches = List.copyOf(caches);
  }

  /** A NUMA node whose huge pages, if any, are of 2 MiB. */
  public NumaNode(
      int id,
      int socket,
      long memoryBytes,
      long hugepageBytes,
      List<Integer> distances,
      List<Core> cores,
      List<CpuSet> caches) {
    this(
        id,
        socket,
        memoryBytes,
        hugepageBytes == 0 ? new TreeMap<>() : new TreeMap<>(Map.of("2Mi", hugepageBytes)),
        distances,
        cores,
        caches);
  }

  /** The same NUMA node with another amount of memory. */
  NumaNode withMemoryBytes(long bytes) {
    return new NumaNode(id, socket, bytes, hugepageBytesBySize, distances, cores, caches);
  }

  /** The same NUMA node with some of its cores only. */
  public NumaNode withCores(List<Core> some) {
    CpuSet threads = CpuSet.unionOf(some.stream().map(Core::threads).toList());
    return new NumaNode(
        id,
        socket,
        memoryBytes,
        hugepageBytesBySize,
        distances,
        some,
        caches.stream()
            .map(cache -> cache.intersect(threads))
            .filter(cache -> !cache.isEmpty())
            .toList());
  }

  /** All preallocated huge pages in bytes. */
  public long hugepageBytes() {
    return hugepageBytesBySize.values().stream().mapToLong(Long::longValue).sum();
  }

  /** All online hardware threads. */
  public CpuSet cpus() {
    return CpuSet.unionOf(cores.stream().map(Core::threads).toList());
  }
}
