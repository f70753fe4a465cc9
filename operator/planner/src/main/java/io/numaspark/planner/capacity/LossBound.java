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
 * of divisible units, claims take slots at their {@link TakingCost}. A NUMA node loses max(slots by
 * CPUs, slots by memory), so it is lost to one of the two, and each of its claims is needed for
 * that one only: some NUMA nodes are paid with the CPUs of some claims and some others with the
 * memory of the other claims, together no more NUMA nodes than there are claims. The CPUs are best
 * paid by the claims with the least memory a CPU (the fractional knapsack).
 *
 * <p>Because floor((x - p) / c) is at least floor(x / c) - ceil(p / c), some claims may be charged
 * one by one and the rest as a heap; the claims that fill their slots best come first, and the
 * smallest sum counts.
 *
 * <p>Limit: an upper bound, not the maximum, which is a packing problem; a test counts how often
 * the two differ.
 */
final class LossBound {
  /** Ten times the kubelet's default maxPods; sums of so many claims stay within 64 bits. */
  private static final int MOST_CLAIMS = 1100;

  private final NodeSlots node;
  private final boolean outlasting;
  private final TakingCost byCpus;
  private final TakingCost byMemory;

  /**
   * For the claims of one node.
   *
   * @param outlasting whether the bound must also fall by k slots or more when a claim leaves that
   *     is larger than k slots (in CPUs or in memory). Then what a NUMA node has beside its slots
   *     counts as less than a slot, and slots by CPUs and slots by memory are added up.
   */
  LossBound(NodeSlots node, boolean outlasting) {
    this.node = node;
    this.outlasting = outlasting;
    byCpus =
        cost(
            outlasting,
            node.slotCpus(),
            room -> room.cpus() - (long) room.slots() * node.slotCpus());
    byMemory =
        cost(outlasting, node.slotBytes(), room -> room.bytes() - room.slots() * node.slotBytes());
  }

  private TakingCost cost(
      boolean outlasting, long slotAmount, ToLongFunction<NodeSlots.NumaSlots> leftover) {
    return new TakingCost(
        node.numaNodes().stream()
            .map(
                room ->
                    new Room(
                        room.slots(),
                        Math.min(
                            leftover.applyAsLong(room),
                            outlasting ? slotAmount - 1 : Long.MAX_VALUE)))
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
    List<Claim> leastMemoryFirst = new ArrayList<>(claims);
    leastMemoryFirst.removeIf(claim -> claim.cpus() == 0);
    leastMemoryFirst.sort(
        (one, other) -> product(one, other.cpus()).compareTo(product(other, one.cpus())));
    long bytes = claims.stream().mapToLong(Claim::memoryBytes).sum();
    int touched = Math.min(claims.size(), node.numaNodes().size());
    if (outlasting) {
      return asHeap(leastMemoryFirst, bytes, touched, touched);
    }
    int most = 0;
    for (int toCpus = 0; toCpus <= touched; toCpus++) {
      most = Math.max(most, asHeap(leastMemoryFirst, bytes, toCpus, touched - toCpus));
    }
    return most;
  }

  /**
   * The most slots where so many NUMA nodes are lost to CPUs and so many to memory.
   *
   * @param claims those with CPUs, the least memory a CPU first
   * @param allBytes memory of all claims
   */
  private int asHeap(List<Claim> claims, long allBytes, int toCpus, int toMemory) {
    int most = slotsByMemory(allBytes, toMemory, 0);
    long bytes = allBytes;
    long cpus = 0;
    int paying = 0;
    for (int slots = 1; slots <= node.slots(); slots++) {
      long cost = byCpus.of(slots, toCpus);
      while (cpus < cost && paying < claims.size()) {
        Claim claim = claims.get(paying++);
        cpus += claim.cpus();
        bytes -= claim.memoryBytes();
      }
      if (cpus < cost) {
        break;
      }
      long unpaid = share(claims.get(paying - 1), cpus - cost);
      most = Math.max(most, slots + slotsByMemory(bytes + unpaid, toMemory, slots));
    }
    return most;
  }

  /** The most slots, up to those that are not taken yet. */
  private int slotsByMemory(long bytes, int numaNodes, int taken) {
    int least = 0;
    int most = node.countsMemory() ? node.slots() - taken : 0;
    while (least < most) {
      int middle = (least + most + 1) / 2;
      if (byMemory.of(middle, numaNodes) <= bytes) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    return least;
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
