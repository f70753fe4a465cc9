package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.SlotBoard.ExecutorsOf;
import io.numaspark.controller.slots.SlotBoard.NodeCount;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.StartDecision.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StartQueueTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final Admitted ADMITTED = new Admitted();

  private final SlotBoard board = new SlotBoard();
  private final StartQueue queue = new StartQueue(board);
  private final List<String> woken = new ArrayList<>();

  StartQueueTest() {
    queue.onWake(application -> woken.add(application.name()));
  }

  @Test
  void anApplicationStartsWhenEveryExecutorHasASlot() {
    node("n-1", 4, 0);
    assertThat(queue.mayStart(gang("a", 1, 4))).isEqualTo(ADMITTED);
    assertThat(queue.mayStart(gang("a", 1, 4))).as("asked again").isEqualTo(ADMITTED);
  }

  @Test
  void promisedSlotsAreNotGivenTwice() {
    node("n-1", 4, 0);
    queue.mayStart(gang("a", 1, 3));
    assertThat(queue.mayStart(gang("b", 2, 2)))
        .isEqualTo(
            new Waiting(
                "WaitingForSlots", "needs 2 slots, 4 free of which 3 are promised to others"));
    // Bound executors are no promise any more: the same two are not counted twice.
    node("n-1", 4, 2, gang("a", 1, 3));
    assertThat(queue.mayStart(gang("b", 2, 2)))
        .isEqualTo(
            new Waiting(
                "WaitingForSlots", "needs 2 slots, 2 free of which 1 are promised to others"));
  }

  @Test
  void theOldestIsNotPassedEvenByOneThatFits() {
    node("n-1", 4, 2);
    assertThat(queue.mayStart(gang("older", 1, 3)))
        .isEqualTo(new Waiting("WaitingForSlots", "needs 3 slots, 2 free"));
    assertThat(queue.mayStart(gang("younger", 2, 1)))
        .isEqualTo(new Waiting("WaitingForSlots", "needs 1 slots, 2 free, 1 application ahead"));
  }

  @Test
  void oneThatCanNeverFitIsToldSoAndBlocksNobody() {
    node("n-1", 4, 0);
    assertThat(queue.mayStart(gang("huge", 1, 5)))
        .isEqualTo(
            new Waiting(
                "NotEnoughSlots",
                "needs 5 slots, but profile dual has 4 on 1 nodes now; ask for fewer executors, or add nodes"));
    assertThat(queue.mayStart(gang("small", 2, 4))).isEqualTo(ADMITTED);
    node("n-2", 9, 0);
    assertThat(woken).containsExactly("huge");
    assertThat(queue.mayStart(gang("huge", 1, 5))).isEqualTo(ADMITTED);
  }

  @Test
  void freedSlotsWakeTheOneWhoseTurnItIs() {
    node("n-1", 4, 4);
    queue.mayStart(gang("second", 2, 2));
    queue.mayStart(gang("first", 1, 2));
    node("n-1", 4, 3);
    assertThat(woken).isEmpty();
    node("n-1", 4, 1);
    assertThat(woken).containsExactly("first");
    queue.mayStart(gang("first", 1, 2));
    assertThat(woken).as("one slot is left").containsExactly("first");
    node("n-1", 4, 0);
    assertThat(woken).containsExactly("first", "second");
  }

  @Test
  void withheldSlotsAreNotFreeAndNotForGood() {
    Withheld withheld = Withheld.after(Optional.empty(), "TopologyAffinityError", START);
    board.put(
        new NodeCount(new NodeSlots("n-1", "dual", 4, 4, 1, Optional.of(withheld)), Map.of()));
    assertThat(queue.mayStart(gang("a", 1, 3)))
        .isEqualTo(new Waiting("WaitingForSlots", "needs 3 slots, 0 free, 3 withheld"));
  }

  @Test
  void profilesHaveTheirOwnQueues() {
    node("n-1", 2, 2);
    board.put(new NodeCount(new NodeSlots("m-1", "other", 2, 2, 0, Optional.empty()), Map.of()));
    queue.mayStart(gang("a", 1, 2));
    Gang other =
        new Gang(
            new Application("default", "b"),
            new ExecutorsOf("default", "b"),
            "other",
            START.plusSeconds(2),
            2,
            1);
    assertThat(queue.mayStart(other)).isEqualTo(ADMITTED);
  }

  @Test
  void severalSlotsOfAnExecutorHaveToBeOnOneNode() {
    node("n-1", 3, 0);
    node("n-2", 3, 0);
    assertThat(queue.mayStart(new Gang(app("wide"), of("wide"), "dual", START, 3, 2)))
        .isEqualTo(
            new Waiting(
                "NotEnoughSlots",
                "needs 6 slots (3 executors of 2), but profile dual has 6 on 2 nodes now, room for 2 executors; ask for fewer executors, or add nodes"));
    assertThat(queue.mayStart(new Gang(app("fits"), of("fits"), "dual", START, 2, 2)))
        .isEqualTo(ADMITTED);
  }

  @Test
  void anotherAttemptAsksAnew() {
    node("n-1", 2, 0);
    queue.mayStart(gang("a", 1, 2));
    node("n-1", 2, 2);
    Gang second = new Gang(app("a"), of("a-2"), "dual", START.plusSeconds(1), 2, 1);
    assertThat(queue.mayStart(second)).isInstanceOf(Waiting.class);
  }

  @Test
  void whoeverIsGoneHoldsNothing() {
    node("n-1", 2, 0);
    queue.mayStart(gang("gone", 1, 2));
    queue.mayStart(gang("waits", 2, 2));
    queue.retain(gang -> !gang.application().name().equals("gone"));
    assertThat(woken).containsExactly("waits");
    assertThat(queue.mayStart(gang("waits", 2, 2))).isEqualTo(ADMITTED);
  }

  @Test
  void anOlderOneThatHasNotAskedYetKeepsItsPlace() {
    node("n-1", 2, 0);
    queue.expect(app("older"), "dual", START.plusSeconds(1));
    assertThat(queue.mayStart(gang("younger", 2, 1))).isInstanceOf(Waiting.class);
    assertThat(queue.mayStart(gang("older", 1, 1))).isEqualTo(ADMITTED);
    assertThat(woken).endsWith("younger");
  }

  @Test
  void aPromiseOfAFormerOperatorIsKept() {
    node("n-1", 4, 1, gang("running", 1, 3));
    queue.restore(gang("running", 1, 3));
    assertThat(queue.mayStart(gang("b", 2, 2))).isInstanceOf(Waiting.class);
    assertThat(queue.mayStart(gang("c", 0, 1))).isEqualTo(ADMITTED);
  }

  @Test
  void anExecutorThatWasBoundOnceIsNoPromiseWhenItIsGone() {
    node("n-1", 2, 0);
    queue.mayStart(gang("a", 1, 2));
    node("n-1", 2, 2, gang("a", 1, 2));
    node("n-1", 2, 0);
    assertThat(queue.mayStart(gang("b", 2, 2))).isEqualTo(ADMITTED);
  }

  private void node(String name, int allowed, int used) {
    board.put(
        new NodeCount(
            new NodeSlots(name, "dual", allowed, allowed, used, Optional.empty()), Map.of()));
  }

  private void node(String name, int allowed, int used, Gang gang) {
    board.put(
        new NodeCount(
            new NodeSlots(name, "dual", allowed, allowed, used, Optional.empty()),
            Map.of(
                gang.attempt(),
                IntStream.range(0, used).mapToObj(i -> gang.application().name() + i).toList())));
  }

  private static Gang gang(String name, int createdAfter, int executors) {
    return new Gang(app(name), of(name), "dual", START.plusSeconds(createdAfter), executors, 1);
  }

  private static Application app(String name) {
    return new Application("default", name);
  }

  private static ExecutorsOf of(String id) {
    return new ExecutorsOf("default", id);
  }
}
