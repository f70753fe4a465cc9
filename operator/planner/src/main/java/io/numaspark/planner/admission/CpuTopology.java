package io.numaspark.planner.admission;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Where each CPU sits, as the kubelet sees it (cpumanager/topology: CPUTopology).
 *
 * <p>CPUs a core, socket and cache are averages rounded down, as in the kubelet: on a machine whose
 * cores or sockets differ, its decisions follow from these averages.
 */
final class CpuTopology {
  private final BitSet cpus;
  private final Level cores;
  private final Level caches;
  private final Level sockets;
  private final Level numaNodes;

  private CpuTopology(BitSet cpus, int[] core, int[] cache, int[] socket, int[] numaNode) {
    this.cpus = cpus;
    this.cores = new Level(cpus, id -> core[id]);
    this.caches = new Level(cpus, id -> cache[id]);
    this.sockets = new Level(cpus, id -> socket[id]);
    this.numaNodes = new Level(cpus, id -> numaNode[id]);
  }

  static CpuTopology of(NodeTopology topology) {
    BitSet cpus = bits(topology.cpus());
    int[] core = new int[cpus.length()];
    int[] cache = new int[cpus.length()];
    int[] socket = new int[cpus.length()];
    int[] numa = new int[cpus.length()];
    int firstCacheId = 0;
    for (NumaNode node : topology.numaNodes()) {
      for (Core of : node.cores()) {
        int cacheId = cacheId(node, of, firstCacheId);
        of.threads().stream()
            .forEach(
                cpu -> {
                  core[cpu] = of.id();
                  cache[cpu] = cacheId;
                  socket[cpu] = node.socket();
                  numa[cpu] = node.id();
                });
      }
      firstCacheId += node.caches().size();
    }
    return new CpuTopology(cpus, core, cache, socket, numa);
  }

  /**
   * The cache domain of a core. A cache as large as its NUMA node is none to the kubelet, which
   * then takes the socket's id instead, even where it equals that of another cache (cAdvisor's
   * addCacheInfo, topology.go: getUncoreCacheID).
   */
  private static int cacheId(NumaNode node, Core core, int firstCacheId) {
    List<CpuSet> caches = node.caches();
    int cpu = core.id();
    for (int i = 0; i < caches.size(); i++) {
      if (caches.get(i).contains(cpu)) {
        boolean wholeNode = caches.get(i).size() == node.cores().size() * core.threads().size();
        return wholeNode ? node.socket() : firstCacheId + i;
      }
    }
    return node.socket();
  }

  BitSet cpus() {
    return cpus;
  }

  Level cores() {
    return cores;
  }

  Level caches() {
    return caches;
  }

  Level sockets() {
    return sockets;
  }

  /** The NUMA nodes that have CPUs. */
  Level numaNodes() {
    return numaNodes;
  }

  int cpusPerCore() {
    return cpus.cardinality() / cores.size();
  }

  int cpusPerSocket() {
    return cpus.cardinality() / sockets.size();
  }

  int cpusPerCache() {
    return cpus.cardinality() / caches.size();
  }

  static BitSet bits(CpuSet set) {
    BitSet bits = new BitSet();
    set.stream().forEach(bits::set);
    return bits;
  }

  static CpuSet set(BitSet bits) {
    return CpuSet.of(bits.stream());
  }

  /** One level of the topology: all its domains, by index in ascending order of their ids. */
  static final class Level {
    private final int[] indexOfCpu;
    private final List<Integer> ids;
    private final List<BitSet> members;
    private final int smallest;

    private Level(BitSet cpus, IntUnaryOperator idOfCpu) {
      SortedMap<Integer, BitSet> byId = new TreeMap<>();
      cpus.stream()
          .forEach(
              cpu -> byId.computeIfAbsent(idOfCpu.applyAsInt(cpu), id -> new BitSet()).set(cpu));
      ids = List.copyOf(byId.keySet());
      members = new ArrayList<>(byId.values());
      smallest = members.stream().mapToInt(BitSet::cardinality).min().orElse(0);
      indexOfCpu = new int[cpus.length()];
      for (int index = 0; index < members.size(); index++) {
        int domain = index;
        members.get(index).stream().forEach(cpu -> indexOfCpu[cpu] = domain);
      }
    }

    int size() {
      return ids.size();
    }

    int id(int index) {
      return ids.get(index);
    }

    int indexOf(int cpu) {
      return indexOfCpu[cpu];
    }

    /** All CPUs of a domain, free or not; not to be changed. */
    BitSet cpus(int index) {
      return members.get(index);
    }

    int cpuCount(int index) {
      return members.get(index).cardinality();
    }

    /** CPUs of the smallest domain. */
    int smallestCpuCount() {
      return smallest;
    }
  }
}
