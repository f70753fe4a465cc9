package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.slots.GangDecision.Demand;
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
    assertThat(GangDecision.fitsBeside(slots(free), each, reserved)).isEqualTo(fits);
  }

  @Test
  void whatWasPromisedIsNotSpoiled() {
    List<Demand> pair = List.of(new Demand(1, 2));
    assertThat(GangDecision.allFit(List.of(2, 1), pair, new Demand(1, 1))).isFalse();
    assertThat(GangDecision.allFit(List.of(3, 1), pair, new Demand(1, 1))).isTrue();
    assertThat(GangDecision.allFit(List.of(2, 1), List.of(), new Demand(3, 1))).isTrue();
  }

  /** Whoever takes the promised slots one by one, on any nodes: never fewer fit than was said. */
  @Test
  void theBoundIsTheWorstCase() {
    Random random = new Random(4);
    for (int round = 0; round < 2_000; round++) {
      List<Integer> free = random.ints(3, 0, 6).boxed().toList();
      int each = 1 + random.nextInt(3);
      int reserved = random.nextInt(8);
      assertThat(GangDecision.fitsBeside(free, each, reserved))
          .as("%s free, %d each, %d reserved", free, each, reserved)
          .isEqualTo(worst(free, each, reserved));
    }
  }

  private static int worst(List<Integer> free, int each, int left) {
    int worst = GangDecision.fits(free, each);
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
