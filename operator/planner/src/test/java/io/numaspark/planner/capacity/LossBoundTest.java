package io.numaspark.planner.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.capacity.NodeSlots.NumaSlots;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bound against every placement of a few claims on small nodes. */
class LossBoundTest {
  private static final int NODES = 4000;

  @Test
  void noPlacementTakesMoreAndMostBoundsAreReached() {
    Random random = new Random(11);
    int reached = 0;
    int taking = 0;
    for (int i = 0; i < NODES; i++) {
      NodeSlots node = node(random);
      List<Claim> claims = claims(random, node, 5);
      int worst = worst(node, claims);
      int bound = new LossBound(node, false).of(claims);
      assertThat(bound).as("%s, %s", node, claims).isGreaterThanOrEqualTo(worst);
      assertThat(new LossBound(node, true).of(claims))
          .as("counting less leftover; %s, %s", node, claims)
          .isGreaterThanOrEqualTo(bound);
      taking += worst > 0 ? 1 : 0;
      reached += worst > 0 && bound == worst ? 1 : 0;
    }
    assertThat(taking).isGreaterThan(NODES / 2);

    assertThat(100 * reached / taking).as("percent reached").isGreaterThanOrEqualTo(90);
  }

  @Test
  void oneClaimIsExact() {
    Random random = new Random(12);
    for (int i = 0; i < NODES; i++) {
      NodeSlots node = node(random);
      List<Claim> claims = claims(random, node, 1);
      assertThat(new LossBound(node, false).of(claims))
          .as("%s, %s", node, claims)
          .isEqualTo(worst(node, claims));
    }
  }

  @Test
  void isNeverAboveTheTwoSimpleBounds() {
    Random random = new Random(13);
    int below = 0;
    for (int i = 0; i < NODES; i++) {
      NodeSlots node = node(random);
      List<Claim> claims = claims(random, node, 12);
      int simple = simple(node, claims);
      int bound = new LossBound(node, false).of(claims);
      assertThat(bound).as("%s, %s", node, claims).isLessThanOrEqualTo(simple);
      below += bound < simple ? 1 : 0;
    }
    assertThat(below).as("nodes where it is below").isGreaterThan(NODES / 20);
  }

  /** What lets the capacity stay as it is when an executor of an earlier shape leaves. */
  @Test
  void aClaimLargerThanSlotsTakesAtLeastThoseSlotsFromTheOthers() {
    Random random = new Random(14);
    for (int i = 0; i < NODES; i++) {
      NodeSlots node = node(random);
      LossBound bound = new LossBound(node, true);
      List<Claim> claims = claims(random, node, 8);
      int without = bound.of(claims);
      Claim claim = claims(random, node, 1).get(0);
      claims.add(random.nextInt(claims.size() + 1), claim);
      int surely = Math.max(0, node.slotsOf(claim) - 1);
      assertThat(bound.of(claims))
          .as("%s, %s and %s", node, claims, claim)
          .isGreaterThanOrEqualTo(Math.min(node.slots(), without + surely));
    }
  }

  @ParameterizedTest(name = "{0} claims of {1} CPUs and {2} bytes: {3} slots")
  @CsvSource({
    "1, 1, 0, 1",
    "1, 6, 0, 1",
    "1, 7, 0, 2",
    "10, 1, 0, 3",
    "8, 1, 0, 3",
    "7, 1, 0, 2",
    "6, 6, 0, 6",
    "1, 2147483647, 0, 3",
    "1, 0, 40, 0",
    "1, 0, 41, 1",
    "2, 0, 41, 3",
    "1, 0, 9223372036854775807, 3",
    "5000, 1, 1, 6",
    "2, 1, 41, 3"
  })
  void takesFromTwoNumaNodesOf18Cpus(int number, int cpus, long bytes, int lost) {
    NodeSlots node = node(6, 20, true, new NumaSlots(3, 18, 100), new NumaSlots(3, 18, 100));
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      claims.add(new Claim(cpus, bytes));
    }
    assertThat(new LossBound(node, false).of(claims)).isEqualTo(lost);
  }

  @Test
  void aClaimPaysWithItsCpusOrWithItsMemory() {
    // Either resource of the two claims alone would take two slots.
    NodeSlots node = node(6, 20, true, new NumaSlots(3, 18, 60), new NumaSlots(3, 18, 60));
    assertThat(new LossBound(node, false).of(List.of(new Claim(1, 1), new Claim(1, 1))))
        .isEqualTo(2);
  }

  @Test
  void twoClaimsTouchTwoNumaNodesOnly() {
    // As divisible units 2 x 8 CPUs would open all four, each for the 2 CPUs beside its slots and
    // 1.
    NumaSlots room = new NumaSlots(2, 14, 0);
    NodeSlots node = node(6, 1, false, room, room, room, room);
    List<Claim> claims = List.of(new Claim(8, 0), new Claim(8, 0));
    assertThat(new LossBound(node, false).of(claims)).isEqualTo(3);
    assertThat(worst(node, claims)).isEqualTo(2);
  }

  private static NodeSlots node(int cpus, long bytes, boolean memory, NumaSlots... numaNodes) {
    return new NodeSlots(
        cpus, bytes, memory, Optional.empty(), OptionalInt.empty(), List.of(numaNodes));
  }

  /** One to four NUMA nodes of up to four slots, limited by CPUs or by memory. */
  private static NodeSlots node(Random random) {
    int cpus = 1 + random.nextInt(8);
    int bytes = 1 + random.nextInt(20);
    boolean memory = random.nextInt(3) > 0;
    List<NumaSlots> numaNodes = new ArrayList<>();
    int more = random.nextInt(4);
    while (numaNodes.size() <= more) {
      int allCpus = cpus + random.nextInt(4 * cpus);
      int allBytes = bytes + random.nextInt(4 * bytes);
      int slots = memory ? Math.min(allCpus / cpus, allBytes / bytes) : allCpus / cpus;
      numaNodes.add(new NumaSlots(slots, allCpus, allBytes));
    }
    return node(cpus, bytes, memory, numaNodes.toArray(NumaSlots[]::new));
  }

  private static List<Claim> claims(Random random, NodeSlots node, int most) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      claims.add(
          new Claim(
              random.nextInt(2 * node.slotCpus() + 1),
              random.nextInt((int) (2 * node.slotBytes()) + 1)));
    }
    return claims;
  }

  /** The most that any placement takes; claims may hold more than a NUMA node has. */
  private static int worst(NodeSlots node, List<Claim> claims) {
    return worst(node, claims, 0, new long[node.numaNodes().size()][2]);
  }

  private static int worst(NodeSlots node, List<Claim> claims, int next, long[][] held) {
    if (next == claims.size()) {
      int lost = 0;
      for (int i = 0; i < held.length; i++) {
        NumaSlots room = node.numaNodes().get(i);
        long left = Math.max(0, room.cpus() - held[i][0]) / node.slotCpus();
        if (node.countsMemory()) {
          left = Math.min(left, Math.max(0, room.bytes() - held[i][1]) / node.slotBytes());
        }
        lost += (int) Math.max(0, room.slots() - left);
      }
      return lost;
    }
    int worst = 0;
    for (long[] there : held) {
      there[0] += claims.get(next).cpus();
      there[1] += claims.get(next).memoryBytes();
      worst = Math.max(worst, worst(node, claims, next + 1, held));
      there[0] -= claims.get(next).cpus();
      there[1] -= claims.get(next).memoryBytes();
    }
    return worst;
  }

  /** One by one, or all CPUs and all memory as divisible units; the smaller counts. */
  private static int simple(NodeSlots node, List<Claim> claims) {
    int oneByOne = claims.stream().mapToInt(node::slotsOf).sum();
    long cpus = claims.stream().mapToLong(Claim::cpus).sum();
    long bytes = claims.stream().mapToLong(Claim::memoryBytes).sum();
    int heap =
        greedy(node, cpus, node.slotCpus(), room -> room.cpus())
            + (node.countsMemory()
                ? greedy(node, bytes, node.slotBytes(), room -> room.bytes())
                : 0);
    return Math.min(node.slots(), Math.min(oneByOne, heap));
  }

  private static int greedy(
      NodeSlots node, long amount, long ofSlot, ToLongFunction<NumaSlots> all) {
    List<Long> costs = new ArrayList<>();
    for (NumaSlots room : node.numaNodes()) {
      costs.add(all.applyAsLong(room) - room.slots() * ofSlot + 1);
      for (int i = 1; i < room.slots(); i++) {
        costs.add(ofSlot);
      }
    }
    costs.sort(null);
    long left = amount;
    int lost = 0;
    while (lost < costs.size() && costs.get(lost) <= left) {
      left -= costs.get(lost++);
    }
    return lost;
  }
}
