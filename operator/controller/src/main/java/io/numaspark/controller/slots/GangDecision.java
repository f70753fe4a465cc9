package io.numaspark.controller.slots;

import java.util.List;
import java.util.stream.Stream;

/**
 * Whether all executors of an application surely find slots, whichever node the scheduler gives to
 * whom.
 *
 * <p>Limit: pods other than executors are seen only through the nodes' counts.
 */
final class GangDecision {
  private GangDecision() {}

  /**
   * Executors that have no slot yet.
   *
   * @param slotsPerExecutor from 1, all on one node
   */
  record Demand(int executors, int slotsPerExecutor) {
    long slots() {
      return (long) executors * slotsPerExecutor;
    }
  }

  /**
   * Whether the executors of one more application surely find slots, and those that were promised
   * some still do: each of them beside all others, in whatever order they are bound.
   */
  static boolean allFit(List<Integer> freeSlots, List<Demand> promised, Demand further) {
    List<Demand> all = Stream.concat(promised.stream(), Stream.of(further)).toList();
    long slots = all.stream().mapToLong(Demand::slots).sum();
    return all.stream()
        .allMatch(
            demand ->
                fitsBeside(freeSlots, demand.slotsPerExecutor(), slots - demand.slots())
                    >= demand.executors());
  }

  /** Executors that fit when nobody else takes a slot. */
  static int fits(List<Integer> slotsOfNodes, int slotsPerExecutor) {
    return slotsOfNodes.stream().mapToInt(slots -> slots / slotsPerExecutor).sum();
  }

  /**
   * Executors that still fit when others have taken some of the slots in the worst way.
   *
   * <p>An executor needs all its slots on one node. The cheapest way to spoil room for one is to
   * take what is left over on a node and one slot more ({@code free mod k + 1}); each further one
   * on the node costs k. Taking the cheapest first spoils the most, so the rest is a lower bound;
   * for k = 1 it is exact.
   *
   * @param freeSlots free slots of each node
   * @param slotsPerExecutor k, from 1
   * @param reserved slots that others may take on whatever nodes
   */
  static int fitsBeside(List<Integer> freeSlots, int slotsPerExecutor, long reserved) {
    int[] firstCosts =
        freeSlots.stream()
            .filter(free -> free >= slotsPerExecutor)
            .mapToInt(free -> free % slotsPerExecutor + 1)
            .sorted()
            .toArray();
    int fits = fits(freeSlots, slotsPerExecutor);
    long left = reserved;
    int spoiled = 0;
    for (int cost : firstCosts) {
      if (cost > left) {
        return fits - spoiled;
      }
      left -= cost;
      spoiled++;
    }
    return (int) Math.max(0, fits - spoiled - left / slotsPerExecutor);
  }
}
