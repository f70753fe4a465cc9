package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.slots.GangDecision.Demand;
import io.numaspark.controller.slots.GangDecision.PromisedDemand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GangDecisionTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "one slot each is a sum,                  3 2 0, 1, 0, 5",
    "promised slots are gone,                 3 2 0, 1, 4, 1",
    "more promised than free,                 3 2 0, 1, 9, 0",
    "two slots have to be on one node,        3 2 1, 2, 0, 2",
    "one promised slot may spoil a pair,      3 2 1, 2, 1, 1",
    "the third slot of a node is for nobody,  3 3 3, 2, 1, 3",
    "two promised slots spoil one of them,    3 3 3, 2, 2, 2",
    "no node is large enough,                 2 2 2, 3, 0, 0",
    "no node at all,                          '',    1, 0, 0"
  })
  void executorsThatSurelyFit(String name, String free, int each, int reserved, int fits) {
    assertThat(new GangDecision(slots(free)).fitsBeside(each, reserved)).isEqualTo(fits);
  }

  @Test
  void whatWasPromisedIsNotSpoiled() {
    PromisedDemand pair = new PromisedDemand();
    pair.add(new Demand(1, 2));
    assertThat(new GangDecision(List.of(2, 1)).allFit(pair, new Demand(1, 1))).isFalse();
    assertThat(new GangDecision(List.of(3, 1)).allFit(pair, new Demand(1, 1))).isTrue();
    assertThat(new GangDecision(List.of(2, 1)).allFit(new PromisedDemand(), new Demand(3, 1)))
        .isTrue();
  }

  /** Authors of pods and applications write any number. */
  @ParameterizedTest
  @CsvSource({
    "2147483647 2147483647, 1,          0,                   4294967294",
    "2147483647 2147483647, 1,          4294967293,          1",
    "2147483647,            2147483647, 0,                   1",
    "2147483647,            2147483647, 1,                   0",
    "2147483647 3,          2,          9223372036854775807, 0"
  })
  void numbersDoNotOverflow(String free, int each, long reserved, long fits) {
    assertThat(new GangDecision(slots(free)).fitsBeside(each, reserved)).isEqualTo(fits);
  }

  @Test
  void demandsDoNotOverflow() {
    GangDecision decision = new GangDecision(List.of(Integer.MAX_VALUE, Integer.MAX_VALUE));
    Demand largest = new Demand(Integer.MAX_VALUE, Integer.MAX_VALUE);
    PromisedDemand promised = new PromisedDemand();
    for (int i = 0; i < 1_000; i++) {
      promised.add(largest);
    }
    assertThat(promised.slots()).isPositive();
    assertThat(decision.allFit(promised, new Demand(1, 1))).isFalse();
    assertThat(decision.allFit(new PromisedDemand(), largest)).isFalse();
    assertThat(decision.allFit(new PromisedDemand(), new Demand(Integer.MAX_VALUE, 2))).isFalse();
    assertThat(decision.allFit(new PromisedDemand(), new Demand(Integer.MAX_VALUE, 1))).isTrue();
  }

  /** Whoever takes the promised slots one by one, on any nodes: never fewer fit than was said. */
  @Test
  void theBoundIsTheWorstCase() {
    Random random = new Random(4);
    for (int round = 0; round < 2_000; round++) {
      List<Integer> free = random.ints(3, 0, 6).boxed().toList();
      int each = 1 + random.nextInt(3);
      int reserved = random.nextInt(8);
      assertThat(new GangDecision(free).fitsBeside(each, reserved))
          .as("%s free, %d each, %d reserved", free, each, reserved)
          .isEqualTo(worst(free, each, reserved));
    }
  }

  private static long worst(List<Integer> free, int each, int left) {
    long worst = new GangDecision(free).fits(each);
    for (int i = 0; left > 0 && i < free.size(); i++) {
      if (free.get(i) > 0) {
        List<Integer> taken = new ArrayList<>(free);
        taken.set(i, free.get(i) - 1);
        worst = Math.min(worst, worst(taken, each, left - 1));
      }
    }
    return worst;
  }

  private static List<Integer> slots(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(" ")).map(Integer::valueOf).toList();
  }
}
