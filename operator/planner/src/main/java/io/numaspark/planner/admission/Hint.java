package io.numaspark.planner.admission;

import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * A set of NUMA nodes that could serve a request (topologymanager: TopologyHint).
 *
 * @param mask bit i stands for the NUMA node with id i; empty: any NUMA node will do
 */
record Hint(OptionalLong mask, boolean preferred) {
  /** Ids that fit a mask (bitmask.go). */
  private static final int LARGEST_NUMA_ID = 63;

  static Hint of(long mask, boolean preferred) {
    return new Hint(OptionalLong.of(mask), preferred);
  }

  static Hint any(boolean preferred) {
    return new Hint(OptionalLong.empty(), preferred);
  }

  /**
   * The mask of one NUMA node.
   *
   * @throws UndefinedByKubelet if its id does not fit a mask
   */
  static long bit(int numaNode) {
    if (numaNode > LARGEST_NUMA_ID) {
      throw new UndefinedByKubelet(
          "the kubelet crashes: NUMA node id %d does not fit its masks of 64 bits (bitmask.go)"
              .formatted(numaNode));
    }
    return 1L << numaNode;
  }

  /** Fewer NUMA nodes, or the lower mask of two with equally many (bitmask.go: IsNarrowerThan). */
  static boolean isNarrower(long mask, long other) {
    int difference = Long.bitCount(mask) - Long.bitCount(other);
    return difference == 0 ? Long.compareUnsigned(mask, other) < 0 : difference < 0;
  }

  /** All subsets of the given NUMA nodes, small ones first (bitmask.go: IterateBitMasks). */
  static void forEachMask(int[] numaNodes, LongConsumer visitor) {
    for (int size = 1; size <= numaNodes.length; size++) {
      combine(numaNodes, size, 0, 0, visitor);
    }
  }

  private static void combine(
      int[] numaNodes, int size, int start, long mask, LongConsumer visitor) {
    if (size == 0) {
      visitor.accept(mask);
      return;
    }
    for (int i = start; i <= numaNodes.length - size; i++) {
      combine(numaNodes, size - 1, i + 1, mask | bit(numaNodes[i]), visitor);
    }
  }
}
