package io.numaspark.planner.admission;

import io.numaspark.planner.admission.KubeletRelease.Behaviour;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which CPUs are taken from a set of free ones (cpu_assignment.go: takeByTopologyNUMAPacked,
 * takeByTopologyNUMADistributed).
 */
final class CpuAssignment {
  private final CpuTopology topology;
  private final CpuManagerOptions options;

  CpuAssignment(CpuTopology topology, CpuManagerOptions options) {
    this.topology = topology;
    this.options = options;
  }

  /**
   * CPUs for a request (policy_static.go: takeByTopology).
   *
   * @throws AdmissionFailure if there are too few
   */
  BitSet take(BitSet available, int count) throws AdmissionFailure {
    if (options.distributeAcrossNuma()) {
      return distributed(available, count, options.fullCoresOnly() ? topology.cpusPerCore() : 1);
    }
    return packed(available, count, options.preferAlignByCache());
  }

  private BitSet packed(BitSet available, int count, boolean alignByCache) throws AdmissionFailure {
    CpuAccumulator accumulator = accumulator(available, count);
    if (accumulator.isSatisfied()) {
      return accumulator.taken();
    }
    accumulator.takeFullNumaNodesAndSockets();
    if (!accumulator.isSatisfied() && alignByCache) {
      accumulator.takeCaches(options.release().does(Behaviour.CACHE_TAKES_PARTS_OF_CORES));
    }
    if (!accumulator.isSatisfied() && !options.distributeAcrossCores()) {
      accumulator.takeFullCores();
    }
    if (!accumulator.isSatisfied()) {
      if (options.distributeAcrossCores()) {
        accumulator.takeRemainingSpread();
      } else {
        accumulator.takeRemaining();
      }
    }
    if (!accumulator.isSatisfied()) {
      throw AdmissionFailure.unexpected("failed to allocate cpus");
    }
    return accumulator.taken();
  }

  private CpuAccumulator accumulator(BitSet available, int count) throws AdmissionFailure {
    CpuAccumulator accumulator = new CpuAccumulator(topology, available, count);
    if (!accumulator.isSatisfied() && accumulator.isFailed()) {
      throw AdmissionFailure.unexpected(
          "not enough cpus available to satisfy request: requested=%d, available=%d"
              .formatted(count, available.cardinality()));
    }
    return accumulator;
  }

  /**
   * Spreads a request evenly over the fewest NUMA nodes that can, in groups of CPUs (KEP-2902).
   *
   * @throws UndefinedByKubelet if the kubelet's loop over the remainder would never end
   */
  private BitSet distributed(BitSet available, int count, int groupSize) throws AdmissionFailure {
    if (count % groupSize != 0) {
      return packed(available, count, false);
    }
    CpuAccumulator accumulator = accumulator(available, count);
    if (accumulator.isSatisfied()) {
      return accumulator.taken();
    }
    List<Integer> numaNodes = accumulator.numaNodes();
    int groups = (count - 1) / groupSize + 1;
    int allGroups = (topology.cpus().cardinality() - 1) / groupSize + 1;
    int groupsPerNumaNode = (allGroups - 1) / topology.numaNodes().size() + 1;
    int fewest = (groups - 1) / groupsPerNumaNode + 1;
    int most = Math.min(groups, numaNodes.size());
    boolean keepsToSockets =
        options.alignBySocket() && options.release().does(Behaviour.DISTRIBUTES_WITHIN_SOCKETS);
    for (int size = fewest; size <= most; size++) {
      Search search = new Search(accumulator, numaNodes, count, groupSize, keepsToSockets);
      Combination.forEach(numaNodes, size, search::consider);
      if (search.best != null) {
        return handOut(accumulator, search.best, groupSize);
      }
    }
    return packed(available, count, false);
  }

  private BitSet handOut(CpuAccumulator accumulator, Spread spread, int groupSize)
      throws AdmissionFailure {
    int size = spread.numaNodes().size();
    int even = accumulator.needed() / size / groupSize * groupSize;
    // Not what the search found: the combination may have changed since (see Combination).
    int each =
        options.release().does(Behaviour.DISTRIBUTES_WITHIN_SOCKETS)
            ? atMostFree(accumulator, spread.numaNodes(), even, groupSize)
            : even;
    int remainder = accumulator.needed() - each * size;
    for (int numaNode : spread.numaNodes().members()) {
      takeIn(accumulator, numaNode, each);
    }
    while (remainder > 0) {
      int before = remainder;
      for (int numaNode : spread.remainder().members()) {
        if (remainder == 0) {
          break;
        }
        if (accumulator.freeOfNumaNode(numaNode) >= groupSize) {
          takeIn(accumulator, numaNode, groupSize);
          remainder -= groupSize;
        }
      }
      if (remainder == before) {
        throw new UndefinedByKubelet(
            "the kubelet never ends handing out the remainder of distribute-cpus-across-numa");
      }
    }
    if (accumulator.needed() != 0) {
      throw AdmissionFailure.unexpected(
          "accounting error, %s CPUs allocated, remaining: %d"
              .formatted(
                  accumulator.needed() > 0 ? "not enough" : "too many", accumulator.needed()));
    }
    return accumulator.taken();
  }

  /** No more than each NUMA node has free in whole groups. */
  private static int atMostFree(
      CpuAccumulator accumulator, Combination numaNodes, int wanted, int groupSize) {
    return numaNodes.members().stream()
        .mapToInt(numaNode -> accumulator.freeOfNumaNode(numaNode) / groupSize * groupSize)
        .reduce(wanted, Math::min);
  }

  /** The kubelet passes over a failure here and finds it in the sum afterwards. */
  private void takeIn(CpuAccumulator accumulator, int numaNode, int count) {
    BitSet free = (BitSet) topology.numaNodes().cpus(numaNode).clone();
    free.and(accumulator.free());
    try {
      accumulator.take(packed(free, count, false));
    } catch (AdmissionFailure e) {
      accumulator.take(new BitSet());
    }
  }

  /**
   * A way to spread a request.
   *
   * @param remainder the NUMA nodes that give the rest, one group at a time
   * @param balance standard deviation of the CPUs that stay free per NUMA node
   */
  private record Spread(Combination numaNodes, Combination remainder, double balance) {}

  /** The best balanced spread over combinations of one size. */
  private final class Search {
    private final CpuAccumulator accumulator;
    private final List<Integer> numaNodes;
    private final int count;
    private final int groupSize;
    private final boolean keepsToSockets;
    private Spread best;
    private boolean bestIsInOneSocket;

    Search(
        CpuAccumulator accumulator,
        List<Integer> numaNodes,
        int count,
        int groupSize,
        boolean keepsToSockets) {
      this.accumulator = accumulator;
      this.numaNodes = numaNodes;
      this.count = count;
      this.groupSize = groupSize;
      this.keepsToSockets = keepsToSockets;
    }

    /** Looks at one combination; false ends the search. */
    boolean consider(Combination combination) {
      if (best != null && best.balance() == 0 && (!keepsToSockets || bestIsInOneSocket)) {
        return false;
      }
      int free = combination.members().stream().mapToInt(accumulator::freeOfNumaNode).sum();
      int inGroups =
          combination.members().stream()
              .mapToInt(numaNode -> accumulator.freeOfNumaNode(numaNode) / groupSize * groupSize)
              .sum();
      int each = each(combination);
      if (free < count
          || inGroups < count
          || combination.members().stream().anyMatch(n -> accumulator.freeOfNumaNode(n) < each)) {
        return true;
      }
      int[] left = numaNodes.stream().mapToInt(accumulator::freeOfNumaNode).toArray();
      combination.members().forEach(numaNode -> left[numaNodes.indexOf(numaNode)] -= each);
      Spread spread = spread(combination, each, left);
      boolean inOneSocket = keepsToSockets && isInOneSocket(combination);
      if (spread != null && isBetter(spread, inOneSocket)) {
        best = spread;
        bestIsInOneSocket = inOneSocket;
      }
      return true;
    }

    /** CPUs of each NUMA node, in whole groups, before the remainder. */
    private int each(Combination combination) {
      int even = count / combination.size() / groupSize * groupSize;
      return keepsToSockets ? atMostFree(accumulator, combination, even, groupSize) : even;
    }

    private boolean isBetter(Spread spread, boolean inOneSocket) {
      return best == null
          || (inOneSocket == bestIsInOneSocket ? spread.balance() < best.balance() : inOneSocket);
    }

    /** topology.go: AreNUMANodesInSameSocket. */
    private boolean isInOneSocket(Combination combination) {
      return combination.members().stream()
              .flatMapToInt(numaNode -> topology.numaNodes().cpus(numaNode).stream())
              .map(topology.sockets()::indexOf)
              .distinct()
              .count()
          <= 1;
    }

    /** Null if no subset of the combination can give the remainder. */
    private Spread spread(Combination combination, int each, int[] left) {
      int remainder = count - each * combination.size();
      if (remainder == 0) {
        return new Spread(combination, Combination.EMPTY, standardDeviation(left));
      }
      List<Integer> givers =
          combination.members().stream()
              .filter(n -> left[numaNodes.indexOf(n)] >= groupSize)
              .toList();
      List<Spread> found = new ArrayList<>();
      for (int size = givers.size(); size >= 1; size--) {
        Combination.forEach(
            givers,
            size,
            subset -> {
              if (subset.members().stream().mapToInt(n -> left[numaNodes.indexOf(n)]).sum()
                  >= remainder) {
                double balance = standardDeviation(after(left, subset, remainder));
                if (found.isEmpty() || balance < found.get(0).balance()) {
                  found.clear();
                  found.add(new Spread(combination, subset, balance));
                }
              }
              return true;
            });
      }
      return found.isEmpty() ? null : found.get(0);
    }

    /** Free CPUs after the remainder was taken from a subset, one group at a time in turn. */
    private int[] after(int[] left, Combination subset, int remainder) {
      int[] after = left.clone();
      int missing = remainder;
      while (missing > 0) {
        int before = missing;
        for (int numaNode : subset.members()) {
          int index = numaNodes.indexOf(numaNode);
          if (missing > 0 && after[index] >= groupSize) {
            after[index] -= groupSize;
            missing -= groupSize;
          }
        }
        if (missing == before) {
          throw new UndefinedByKubelet(
              "the kubelet never ends balancing the remainder of distribute-cpus-across-numa");
        }
      }
      return after;
    }
  }

  /** Rounded to thousandths, mean included, as in the kubelet. */
  private static double standardDeviation(int[] values) {
    double mean = thousandths(Arrays.stream(values).sum() / (double) values.length);
    double squares =
        Arrays.stream(values).mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return thousandths(Math.sqrt(squares / values.length));
  }

  private static double thousandths(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
