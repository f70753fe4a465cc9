package io.numaspark.planner.admission;

import io.numaspark.planner.admission.CpuTopology.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Takes CPUs from a set of free ones, level by level (cpu_assignment.go: cpuAccumulator).
 *
 * <p>Domains are handled by their index in {@link Level}, which has the order of their ids. Limit:
 * for one allocation; not reusable.
 */
final class CpuAccumulator {
  private final CpuTopology topology;
  private final BitSet free;
  private final BitSet taken = new BitSet();
  private final int[] freeOfCore;
  private final int[] freeOfSocket;
  private final int[] freeOfNumaNode;
  private int needed;

  CpuAccumulator(CpuTopology topology, BitSet available, int needed) {
    this.topology = topology;
    this.free = (BitSet) available.clone();
    this.needed = needed;
    freeOfCore = new int[topology.cores().size()];
    freeOfSocket = new int[topology.sockets().size()];
    freeOfNumaNode = new int[topology.numaNodes().size()];
    for (int cpu = free.nextSetBit(0); cpu >= 0; cpu = free.nextSetBit(cpu + 1)) {
      count(cpu, 1);
    }
  }

  private void count(int cpu, int change) {
    freeOfCore[topology.cores().indexOf(cpu)] += change;
    freeOfSocket[topology.sockets().indexOf(cpu)] += change;
    freeOfNumaNode[topology.numaNodes().indexOf(cpu)] += change;
  }

  BitSet taken() {
    return taken;
  }

  BitSet free() {
    return free;
  }

  int needed() {
    return needed;
  }

  int freeOfNumaNode(int numaNode) {
    return freeOfNumaNode[numaNode];
  }

  boolean isSatisfied() {
    return needed < 1;
  }

  boolean isFailed() {
    return needed > free.cardinality();
  }

  /**
   * Counts all given CPUs as taken, also those that were not free: on uneven machines the kubelet
   * takes a "free" socket or core whole, and so gives CPUs away twice.
   */
  void take(BitSet cpus) {
    taken.or(cpus);
    for (int cpu = cpus.nextSetBit(0); cpu >= 0; cpu = cpus.nextSetBit(cpu + 1)) {
      if (free.get(cpu)) {
        free.clear(cpu);
        count(cpu, -1);
      }
    }
    needed -= cpus.cardinality();
  }

  /** Whole free NUMA nodes and whole free sockets, the larger kind of the two first. */
  void takeFullNumaNodesAndSockets() {
    if (numaNodesAreAboveSockets()) {
      takeFullNumaNodes();
      if (!isSatisfied()) {
        takeFullSockets();
      }
    } else {
      takeFullSockets();
      if (!isSatisfied()) {
        takeFullNumaNodes();
      }
    }
  }

  private boolean numaNodesAreAboveSockets() {
    return topology.sockets().size() >= topology.numaNodes().size();
  }

  private void takeFullNumaNodes() {
    Level level = topology.numaNodes();
    takeFull(
        level, this::numaNodes, numaNode -> freeOfNumaNode[numaNode] == level.cpuCount(numaNode));
  }

  private void takeFullSockets() {
    takeFull(
        topology.sockets(),
        this::sockets,
        socket -> freeOfSocket[socket] == topology.cpusPerSocket());
  }

  void takeFullCores() {
    takeFull(topology.cores(), this::cores, core -> freeOfCore[core] == topology.cpusPerCore());
  }

  /** Takes the domains that were free at the start and are not larger than what is needed. */
  private void takeFull(Level level, Supplier<List<Integer>> inOrder, IntPredicate isFree) {
    if (needed < level.smallestCpuCount()) {
      return;
    }
    for (int index : inOrder.get().stream().filter(isFree::test).toList()) {
      if (needed >= level.cpuCount(index)) {
        take(level.cpus(index));
      }
    }
  }

  /**
   * CPUs of as few last-level caches as possible (takeUncoreCache).
   *
   * @param partsOfCores whether a part of a cache may end with a part of a core
   */
  void takeCaches(boolean partsOfCores) {
    Level caches = topology.caches();
    for (int cache : caches()) {
      if (needed >= topology.cpusPerCache()) {
        takeFull(
            caches, this::caches, index -> freeOf(caches.cpus(index)) == caches.cpuCount(index));
      }
      if (isSatisfied()) {
        return;
      }
      takePartOfCache(cache, partsOfCores);
      if (isSatisfied()) {
        return;
      }
    }
  }

  /** The lowest cores of a cache, if they give exactly what is needed (takePartialUncore). */
  private void takePartOfCache(int cache, boolean partsOfCores) {
    int threads = topology.cpusPerCore();
    BitSet cores = indexesOfFree(topology.caches().cpus(cache), topology.cores());
    int coresNeeded = (partsOfCores ? needed + threads - 1 : needed) / threads;
    BitSet cpus = new BitSet();
    for (int core = cores.nextSetBit(0), taken = 0;
        core >= 0 && taken < coresNeeded;
        core = cores.nextSetBit(core + 1), taken++) {
      cpus.or(topology.cores().cpus(core));
    }
    cpus.and(free);
    if (partsOfCores && needed % 2 != 0 && threads > 1 && cpus.cardinality() > needed) {
      cpus.clear(cpus.length() - 1);
    }
    if (cpus.cardinality() == needed) {
      take(cpus);
    }
  }

  /** Single CPUs, half-used cores first. */
  void takeRemaining() {
    takeSingly(
        cores().stream().flatMap(core -> freeIn(topology.cores().cpus(core)).stream()).toList());
  }

  /** Single CPUs in the order of their ids within a socket, which spreads them over cores. */
  void takeRemainingSpread() {
    takeSingly(
        sockets().stream()
            .flatMap(socket -> freeIn(topology.sockets().cpus(socket)).stream())
            .toList());
  }

  private void takeSingly(List<Integer> cpus) {
    for (int cpu : cpus) {
      BitSet one = new BitSet();
      one.set(cpu);
      take(one);
      if (isSatisfied()) {
        return;
      }
    }
  }

  private List<Integer> freeIn(BitSet cpus) {
    return cpus.stream().filter(free::get).boxed().toList();
  }

  private int freeOf(BitSet cpus) {
    BitSet both = (BitSet) cpus.clone();
    both.and(free);
    return both.cardinality();
  }

  /** NUMA nodes with a free CPU, fewest free CPUs first, lower id first on a tie. */
  List<Integer> numaNodes() {
    if (numaNodesAreAboveSockets()) {
      return fullestFirst(all(freeOfNumaNode), freeOfNumaNode);
    }
    return below(sockets(), topology.sockets(), topology.numaNodes(), freeOfNumaNode);
  }

  private List<Integer> sockets() {
    if (numaNodesAreAboveSockets()) {
      return below(numaNodes(), topology.numaNodes(), topology.sockets(), freeOfSocket);
    }
    return fullestFirst(all(freeOfSocket), freeOfSocket);
  }

  private List<Integer> cores() {
    return numaNodesAreAboveSockets()
        ? below(sockets(), topology.sockets(), topology.cores(), freeOfCore)
        : below(numaNodes(), topology.numaNodes(), topology.cores(), freeOfCore);
  }

  /** A cache that several NUMA nodes share comes once for each of them, as in the kubelet. */
  private List<Integer> caches() {
    Level caches = topology.caches();
    int[] freeOfCache = new int[caches.size()];
    free.stream().forEach(cpu -> freeOfCache[caches.indexOf(cpu)]++);
    return below(numaNodes(), topology.numaNodes(), caches, freeOfCache);
  }

  /** The domains with a free CPU in each of the outer ones, outer by outer. */
  private List<Integer> below(List<Integer> outer, Level outerLevel, Level inner, int[] freeOf) {
    List<Integer> result = new ArrayList<>();
    for (int index : outer) {
      BitSet inside = indexesOfFree(outerLevel.cpus(index), inner);
      result.addAll(fullestFirst(inside, freeOf));
    }
    return result;
  }

  /** The domains of a level that have one of the given CPUs free. */
  private BitSet indexesOfFree(BitSet cpus, Level level) {
    BitSet indexes = new BitSet();
    for (int cpu = cpus.nextSetBit(0); cpu >= 0; cpu = cpus.nextSetBit(cpu + 1)) {
      if (free.get(cpu)) {
        indexes.set(level.indexOf(cpu));
      }
    }
    return indexes;
  }

  private static BitSet all(int[] freeOf) {
    BitSet indexes = new BitSet();
    for (int index = 0; index < freeOf.length; index++) {
      indexes.set(index, freeOf[index] > 0);
    }
    return indexes;
  }

  private static List<Integer> fullestFirst(BitSet indexes, int[] freeOf) {
    return indexes.stream()
        .boxed()
        .sorted(Comparator.comparingInt((Integer index) -> freeOf[index]))
        .toList();
  }
}
