package io.numaspark.planner.capacity;

import io.numaspark.planner.capacity.TakingCost.Room;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The most slots of a node that claims can take, wherever they sit.
 *
 * <p>Two bounds hold. One by one, a claim takes at most {@link NodeSlots#slotsOf} slots. As a heap
 * of divisible units, claims take at most lc slots with the CPUs of some of them and lm slots with
 * the memory of the others, where both numbers pay their {@link TakingCost}: a NUMA node loses
 * max(slots by CPUs, slots by memory), so each of its claims is needed for one of the two only, and
 * the CPUs are best paid by the claims with the least memory a CPU (the fractional knapsack).
 * Because of floor((x - p) / c) >= floor(x / c) - ceil(p / c), some claims may be charged one by
 * one and the rest as a heap; the claims that fill their slots best come first, and the smallest
 * sum counts.
 *
 * <p>Limit: an upper bound, not the maximum, which is a packing problem; a test counts how often
 * the two differ.
 */
final class LossBound {
  /** Ten times the kubelet's default maxPods; sums of so many claims stay within 64 bits. */
  private static final int MOST_CLAIMS = 1100;

  private final NodeSlots node;
  private final TakingCost byCpus;
  private final TakingCost byMemory;

  /**
   * For the claims of one node.
   *
   * @param slotAtMost whether what a NUMA node has beside its slots counts for less than a slot
   *     even where it is more
   */
  LossBound(NodeSlots node, boolean slotAtMost) {
    this.node = node;
    byCpus =
        cost(
            slotAtMost,
            node.slotCpus(),
            room -> room.cpus() - (long) room.slots() * node.slotCpus());
    byMemory =
        cost(slotAtMost, node.slotBytes(), room -> room.bytes() - room.slots() * node.slotBytes());
  }

  private TakingCost cost(
      boolean slotAtMost, long slotAmount, ToLongFunction<NodeSlots.NumaSlots> leftover) {
    return new TakingCost(
        node.numaNodes().stream()
            .map(
                room ->
                    new Room(
                        room.slots(),
                        Math.min(
                            leftover.applyAsLong(room),
                            slotAtMost ? slotAmount - 1 : Long.MAX_VALUE)))
            .toList(),
        slotAmount);
  }

  /** Slots that the claims take at most, 0 to all. */
  int of(List<Claim> claims) {
    List<Claim> taking =
        claims.stream()
            .map(this::bounded)
            .filter(claim -> !claim.isEmpty())
            .sorted(Comparator.comparingDouble(this::fill).reversed())
            .toList();
    if (taking.size() > MOST_CLAIMS) {
      return node.slots();
    }
    int best = asHeap(taking);
    int oneByOne = 0;
    for (int i = 0; i < taking.size() && oneByOne < best; i++) {
      oneByOne += node.slotsOf(taking.get(i));
      best = Math.min(best, oneByOne + asHeap(taking.subList(i + 1, taking.size())));
    }
    return best;
  }

  /** No claim takes more than all of the largest NUMA node. */
  private Claim bounded(Claim claim) {
    return new Claim(
        Math.min(claim.cpus(), node.cpusOfANumaNode()),
        Math.min(claim.memoryBytes(), node.bytesOfANumaNode()));
  }

  /** The share of its slots that a claim fills; only an order, any would be safe. */
  private double fill(Claim claim) {
    return Math.max(
            (double) claim.cpus() / node.slotCpus(),
            (double) claim.memoryBytes() / node.slotBytes())
        / Math.max(1, node.slotsOf(claim));
  }

  private int asHeap(List<Claim> claims) {
    List<Claim> byMemoryPerCpu = new ArrayList<>(claims);
    byMemoryPerCpu.removeIf(claim -> claim.cpus() == 0);
    byMemoryPerCpu.sort(
        (one, other) -> product(one, other.cpus()).compareTo(product(other, one.cpus())));
    long bytes = claims.stream().mapToLong(Claim::memoryBytes).sum();
    int most = slotsByMemory(bytes, claims.size(), 0);
    int next = 0;
    long cpus = 0;
    for (int slots = 1; slots <= byCpus.slots(); slots++) {
      long cost = byCpus.of(slots, claims.size());
      while (cpus < cost && next < byMemoryPerCpu.size()) {
        Claim claim = byMemoryPerCpu.get(next++);
        cpus += claim.cpus();
        bytes -= claim.memoryBytes();
      }
      if (cpus < cost) {
        break;
      }
      Claim last = byMemoryPerCpu.get(next - 1);
      most =
          Math.max(
              most, slots + slotsByMemory(bytes + share(last, cpus - cost), claims.size(), slots));
    }
    return most;
  }

  /** The most slots, up to those that are not taken yet. */
  private int slotsByMemory(long bytes, int claims, int taken) {
    int slots = 0;
    while (taken + slots < byMemory.slots() && byMemory.of(slots + 1, claims) <= bytes) {
      slots++;
    }
    return slots;
  }

  /** The memory of so many of a claim's CPUs, rounded down: bytes x cpus / its CPUs. */
  private static long share(Claim claim, long cpus) {
    long whole = claim.memoryBytes() / claim.cpus();
    long rest = claim.memoryBytes() % claim.cpus();
    return whole * cpus + rest * cpus / claim.cpus();
  }

  private static BigInteger product(Claim claim, int cpus) {
    return BigInteger.valueOf(claim.memoryBytes()).multiply(BigInteger.valueOf(cpus));
  }
}
