package io.numaspark.controller.slots;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether all executors of an application surely find slots on some nodes, whichever node the
 * scheduler gives to whom.
 *
 * <p>Limit: pods other than executors are seen only through the nodes' counts.
 */
final class GangDecision {
  private final List<Integer> freeSlots;
  private final long total;
  private final Map<Integer, SpoilingCosts> byNeed = new HashMap<>();

  /** For nodes with so many free slots each. */
  GangDecision(Collection<Integer> freeSlots) {
    this.freeSlots = List.copyOf(freeSlots);
    this.total = freeSlots.stream().mapToLong(Integer::longValue).sum();
  }

  /**
   * Executors that have no slot yet.
   *
   * @param slotsPerExecutor from 1, all on one node
   */
  record Demand(int executors, int slotsPerExecutor) {
    /** More than any cluster has, and few enough to be added up. */
    private static final long MOST = 1L << 40;

    long slots() {
      return Math.min(MOST, (long) executors * slotsPerExecutor);
    }
  }

  /** The demands of those that were promised slots, alike ones counted once. */
  static final class PromisedDemand {
    private final Map<Demand, Integer> demands = new LinkedHashMap<>();
    private long slots;

    void add(Demand demand) {
      if (demand.executors() > 0) {
        demands.merge(demand, 1, Integer::sum);
        slots += demand.slots();
      }
    }

    long slots() {
      return slots;
    }

    boolean anyNeedsSeveral() {
      return demands.keySet().stream().anyMatch(demand -> demand.slotsPerExecutor() > 1);
    }
  }

  /**
   * How executors of one size lose their room.
   *
   * @param fits executors that fit when nobody else takes a slot
   * @param costs slots that have to be taken to spoil room for one executor, two, and so on, as
   *     long as each is on another node
   */
  private record SpoilingCosts(long fits, long[] costs) {}

  /** Free slots of all nodes. */
  long total() {
    return total;
  }

  /**
   * Whether the executors of one more application surely find slots, and those that were promised
   * some still do: each of them beside all others, in whatever order they are bound.
   */
  boolean allFit(PromisedDemand promised, Demand further) {
    long slots = promised.slots + further.slots();
    return slots <= total
        && fits(further, slots)
        && promised.demands.keySet().stream().allMatch(demand -> fits(demand, slots));
  }

  private boolean fits(Demand demand, long allSlots) {
    return fitsBeside(demand.slotsPerExecutor(), allSlots - demand.slots()) >= demand.executors();
  }

  /** Executors that fit when nobody else takes a slot. */
  long fits(int slotsPerExecutor) {
    return spoiling(slotsPerExecutor).fits();
  }

  /**
   * Executors that still fit when others have taken some of the slots in the worst way.
   *
   * <p>An executor needs all its slots on one node. The cheapest way to spoil room for one is to
   * take what is left over on a node and one slot more ({@code free mod k + 1}); each further one
   * on the node costs k. Taking the cheapest first spoils the most, so the rest is a lower bound;
   * for k = 1 it is exact.
   *
   * @param slotsPerExecutor k, from 1
   * @param reserved slots that others may take on whatever nodes
   */
  long fitsBeside(int slotsPerExecutor, long reserved) {
    SpoilingCosts spoiling = spoiling(slotsPerExecutor);
    long[] costs = spoiling.costs();
    int found = Arrays.binarySearch(costs, reserved);
    // Costs rise, so that no two are equal.
    int spoiled = found >= 0 ? found + 1 : -found - 1;
    if (spoiled < costs.length || costs.length == 0) {
      return spoiling.fits() - spoiled;
    }
    long left = reserved - costs[costs.length - 1];
    return Math.max(0, spoiling.fits() - spoiled - left / slotsPerExecutor);
  }

  private SpoilingCosts spoiling(int slotsPerExecutor) {
    return byNeed.computeIfAbsent(
        slotsPerExecutor,
        need -> {
          long[] costs =
              freeSlots.stream()
                  .filter(free -> free >= need)
                  .mapToLong(free -> free % need + 1)
                  .sorted()
                  .toArray();
          Arrays.parallelPrefix(costs, Long::sum);
          return new SpoilingCosts(freeSlots.stream().mapToLong(free -> free / need).sum(), costs);
        });
  }
}
