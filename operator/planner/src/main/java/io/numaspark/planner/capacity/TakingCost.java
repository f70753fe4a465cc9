package io.numaspark.planner.capacity;

import java.util.Arrays;
import java.util.List;

/**
 * The least amount of one resource, CPUs or bytes, with which a number of slots can be taken in a
 * number of NUMA nodes.
 *
 * <p>A NUMA node loses its first slot to what it has beside its slots and one unit more, and each
 * further one to a slot's amount. So l slots in a set O of NUMA nodes cost at least the sum over O
 * of (leftover + 1), plus (l - |O|) slots' amounts, and O has at least l slots.
 */
final class TakingCost {
  private static final long NEVER = Long.MAX_VALUE;

  /** By the most NUMA nodes and by slots. */
  private final long[][] costs;

  /**
   * Slots of a NUMA node.
   *
   * @param leftover the amount beside its slots
   */
  record Room(int slots, long leftover) {}

  TakingCost(List<Room> rooms, long slotAmount) {
    long[][] opening = openingCosts(rooms);
    int slots = opening[0].length - 1;
    costs = new long[rooms.size() + 1][slots + 1];
    for (int numaNodes = 0; numaNodes < costs.length; numaNodes++) {
      for (int taken = 0; taken <= slots; taken++) {
        costs[numaNodes][taken] = numaNodes == 0 ? NEVER : costs[numaNodes - 1][taken];
        if (taken >= numaNodes && opening[numaNodes][taken] < NEVER) {
          costs[numaNodes][taken] =
              Math.min(
                  costs[numaNodes][taken],
                  opening[numaNodes][taken] + (taken - numaNodes) * slotAmount);
        }
      }
    }
  }

  /** The cheapest first slots of exactly so many NUMA nodes that have at least so many slots. */
  private static long[][] openingCosts(List<Room> rooms) {
    int slots = rooms.stream().mapToInt(Room::slots).sum();
    long[][] opening = new long[rooms.size() + 1][slots + 1];
    for (long[] ofNumber : opening) {
      Arrays.fill(ofNumber, NEVER);
    }
    opening[0][0] = 0;
    for (Room room : rooms) {
      for (int number = rooms.size(); number > 0; number--) {
        for (int total = slots; total >= room.slots(); total--) {
          long before = opening[number - 1][total - room.slots()];
          if (before < NEVER) {
            opening[number][total] = Math.min(opening[number][total], before + room.leftover() + 1);
          }
        }
      }
    }
    for (long[] ofNumber : opening) {
      for (int total = slots - 1; total >= 0; total--) {
        ofNumber[total] = Math.min(ofNumber[total], ofNumber[total + 1]);
      }
    }
    return opening;
  }

  /** The least amount, or {@link Long#MAX_VALUE} if so many NUMA nodes never have as many slots. */
  long of(int slots, int numaNodes) {
    return costs[numaNodes][slots];
  }
}
