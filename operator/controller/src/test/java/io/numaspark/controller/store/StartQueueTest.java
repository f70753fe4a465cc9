package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.slots.Gang;
import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.Gang.Place;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.NodeCount.ExecutorsOf;
import io.numaspark.controller.slots.PinnerSlots;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.StartDecision.Waiting;
import io.numaspark.controller.slots.StartRound;
import io.numaspark.controller.slots.Turns;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.controller.store.StartQueue.WaitingApplications;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StartQueueTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final Admitted ADMITTED = new Admitted();

  private final SlotBoard board = new SlotBoard();
  private final FakeClock clock = new FakeClock(START);
  private final StartQueue queue = new StartQueue(board::nodes, clock);
  private final List<String> woken = new ArrayList<>();
  private final List<String> expired = new ArrayList<>();

  StartQueueTest() {
    board.changes().listen(queue::slotsChanged);
    queue.admissions().listen(application -> woken.add(application.name()));
    queue.expiries().listen(application -> expired.add(application.name()));
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
            waiting(
                "needs 2 slots, 4 free of which 3 are promised to others, at the latest until"
                    + " 2026-11-21T08:15:00Z; free slots are kept for it until"
                    + " 2026-11-21T08:05:00Z"));
    // Bound executors are no promise any more: the same two are not counted twice.
    node("n-1", 4, 2, gang("a", 1, 3));
    assertThat(queue.mayStart(gang("b", 2, 2)))
        .isEqualTo(
            waiting(
                "needs 2 slots, 2 free of which 1 are promised to others, at the latest until"
                    + " 2026-11-21T08:15:00Z; free slots are kept for it until"
                    + " 2026-11-21T08:05:00Z"));
  }

  @Test
  void whoeverHasItsTurnIsNotPassedEvenByOneThatFits() {
    node("n-1", 4, 2);
    assertThat(queue.mayStart(gang("older", 1, 3)))
        .isEqualTo(
            waiting(
                "needs 3 slots, 2 free; free slots are kept for it until 2026-11-21T08:05:00Z"));
    assertThat(queue.mayStart(gang("younger", 2, 1)))
        .isEqualTo(
            waiting(
                "needs 1 slots, 2 free, 1 application ahead; free slots are kept for another one"
                    + " until 2026-11-21T08:05:00Z"));
  }

  @Test
  void aMoreImportantOneOfTheSameNamespaceStartsFirst() {
    node("n-1", 4, 4);
    queue.mayStart(gang("older", 1, 3));
    queue.mayStart(important(1, gang("important", 2, 3)));
    node("n-1", 4, 0);
    assertThat(woken).containsExactly("important");
    assertThat(queue.mayStart(gang("older", 1, 3))).isInstanceOf(Waiting.class);
  }

  @Test
  void theTurnPassesToAMoreImportantOneOfTheSameNamespace() {
    node("n-1", 4, 2);
    queue.mayStart(gang("older", 1, 3));
    assertThat(queue.mayStart(important(1, gang("important", 2, 4))))
        .isEqualTo(
            waiting(
                "needs 4 slots, 2 free; free slots are kept for it until 2026-11-21T08:05:00Z"));
    assertThat(queue.mayStart(gang("older", 1, 3)))
        .isEqualTo(
            waiting(
                "needs 3 slots, 2 free, 1 application ahead; free slots are kept for another one"
                    + " until 2026-11-21T08:05:00Z"));
  }

  @Test
  void noPriorityCountsInAnotherNamespace() {
    node("n-1", 4, 4);
    queue.mayStart(gang("a", "older", 1, 3));
    queue.mayStart(important(1000, gang("b", "important", 2, 3)));
    node("n-1", 4, 0);
    assertThat(woken).containsExactly("older");
  }

  @Test
  void aPriorityMayBeChangedWhileAnApplicationWaits() {
    node("n-1", 4, 4);
    queue.mayStart(gang("older", 1, 3));
    queue.mayStart(gang("younger", 2, 3));
    queue.mayStart(important(1, gang("younger", 2, 3)));
    node("n-1", 4, 0);
    assertThat(woken).containsExactly("younger");
  }

  @Test
  void aPromiseOutlivesAChangeOfPriority() {
    node("n-1", 4, 0);
    queue.mayStart(gang("a", 1, 4));
    queue.mayStart(important(5, gang("b", 2, 4)));
    assertThat(queue.mayStart(important(-5, gang("a", 1, 4)))).isEqualTo(ADMITTED);
  }

  @Test
  void aTurnEndsAndOthersPassForAsLong() {
    node("n-1", 4, 2);
    queue.mayStart(gang("large", 1, 4));
    assertThat(queue.mayStart(gang("small", 2, 1))).isInstanceOf(Waiting.class);
    clock.advance(Turns.FIRST);
    assertThat(queue.mayStart(gang("small", 2, 1))).isEqualTo(ADMITTED);
    assertThat(queue.mayStart(gang("large", 1, 4)))
        .isEqualTo(
            waiting(
                "needs 4 slots, 2 free of which 1 are promised to others, at the latest until"
                    + " 2026-11-21T08:20:00Z; the next turn begins at 2026-11-21T08:10:00Z"));
    clock.advance(Turns.FIRST);
    assertThat(queue.mayStart(gang("late", 600, 1)))
        .as("its second turn")
        .isInstanceOf(Waiting.class);
    clock.advance(Turns.FIRST.multipliedBy(2).minusSeconds(1));
    assertThat(queue.mayStart(gang("late", 600, 1)))
        .as("is twice as long")
        .isInstanceOf(Waiting.class);
    clock.advance(Duration.ofSeconds(1));
    assertThat(queue.mayStart(gang("late", 600, 1))).isEqualTo(ADMITTED);
  }

  @Test
  void aDriverThatNeverStartsLosesItsPromise() {
    node("n-1", 4, 0);
    queue.mayStart(gang("stuck", 1, 4));
    queue.mayStart(gang("b", 2, 3));
    clock.advance(StartRound.PROMISE.minusSeconds(1));
    queue.mayStart(gang("b", 2, 3));
    assertThat(expired).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(queue.mayStart(gang("b", 2, 3))).isEqualTo(ADMITTED);
    assertThat(expired).containsExactly("stuck");
    assertThat(queue.mayStart(gang("stuck", 1, 4))).as("asks anew").isInstanceOf(Waiting.class);
  }

  @Test
  void aPromiseThatWasKeptEndsInSilence() {
    node("n-1", 4, 0);
    queue.mayStart(gang("a", 1, 2));
    node("n-1", 4, 2, gang("a", 1, 2));
    clock.advance(StartRound.PROMISE);
    queue.mayStart(gang("b", 2, 1));
    assertThat(expired).isEmpty();
  }

  @Test
  void aTenantWithManyDoesNotKeepOthersWaiting() {
    node("n-1", 4, 4);
    for (int i = 0; i < 10; i++) {
      queue.mayStart(gang("greedy", "g-" + i, i, 2));
    }
    queue.mayStart(gang("modest", "m", 100, 2));
    node("n-1", 4, 0);
    // One of each: the first has its turn, and then the other holds less.
    assertThat(woken).containsExactly("g-0", "m");
  }

  @Test
  void aTenantThatRunsMuchComesAfterOneThatRunsLittle() {
    board.put(
        new NodeCount(
            new SlotCount("n-1", "dual", 8, 8, 8, Optional.empty()),
            Map.of(new ExecutorsOf("greedy", "runs"), Map.of("uid-1", 6, "uid-2", 2))));
    queue.mayStart(gang("greedy", "g", 1, 2));
    queue.mayStart(gang("modest", "m", 2, 2));
    clock.advance(Turns.FIRST); // nobody's turn
    board.put(
        new NodeCount(
            new SlotCount("n-1", "dual", 8, 8, 6, Optional.empty()),
            Map.of(new ExecutorsOf("greedy", "runs"), Map.of("uid-1", 6))));
    assertThat(woken).containsExactly("m");
  }

  @Test
  void oneThatCanNeverFitIsToldSoAndBlocksNobody() {
    node("n-1", 4, 0);
    assertThat(queue.mayStart(gang("huge", 1, 5)))
        .isEqualTo(
            new Waiting(
                "NotEnoughSlots",
                "needs 5 slots, but profile dual has 4 on 1 nodes now; request fewer executors, or"
                    + " add nodes (a cluster autoscaler sees no pods to add nodes for, because none"
                    + " exists before all have room)"));
    assertThat(queue.mayStart(gang("small", 2, 4))).isEqualTo(ADMITTED);
    node("n-2", 9, 0);
    assertThat(woken).containsExactly("huge");
    assertThat(queue.mayStart(gang("huge", 1, 5))).isEqualTo(ADMITTED);
  }

  /** A pod that asks for any number of slots makes its node publish as many. */
  @Test
  void whatIsPublishedForForgedRequestsHoldsNobody() {
    for (String node : List.of("n-1", "n-2")) {
      board.put(
          new NodeCount(
              new SlotCount(
                  node, "dual", 4, Integer.MAX_VALUE, Integer.MAX_VALUE, Optional.empty()),
              Map.of()));
    }
    node("n-3", 4, 0);
    assertThat(((Waiting) queue.mayStart(gang("huge", 1, 13))).reason())
        .isEqualTo("NotEnoughSlots");
    assertThat(queue.mayStart(gang("a", 1, 4))).isEqualTo(ADMITTED);
    assertThat(board.byProfile().get("dual").used()).isEqualTo(2L * Integer.MAX_VALUE);
  }

  @Test
  void askingAgainDecidesNothingAnew() {
    node("n-1", 4, 4);
    for (int i = 0; i < 100; i++) {
      queue.mayStart(gang("g-" + i, i, 1));
    }
    long before = queue.rounds("dual");
    for (int poll = 0; poll < 10; poll++) {
      for (int i = 0; i < 100; i++) {
        queue.mayStart(gang("g-" + i, i, 1));
      }
      queue.retain(gang -> true);
    }
    assertThat(queue.rounds("dual")).isEqualTo(before);
    node("n-1", 4, 3);
    assertThat(queue.rounds("dual")).as("one for each change").isEqualTo(before + 1);
    assertThat(woken).containsExactly("g-0");
  }

  @Test
  void freedSlotsWakeTheOneWhoseTurnItIs() {
    node("n-1", 4, 4);
    queue.mayStart(gang("first", 1, 2));
    queue.mayStart(gang("second", 2, 2));
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
        new NodeCount(new SlotCount("n-1", "dual", 4, 4, 1, Optional.of(withheld)), Map.of()));
    assertThat(queue.mayStart(gang("a", 1, 3)))
        .isEqualTo(
            waiting(
                "needs 3 slots, 0 free, 3 withheld; free slots are kept for it until"
                    + " 2026-11-21T08:05:00Z"));
  }

  /** It comes back without a new node: nobody has to request less. */
  @Test
  void slotsOfAPinnerThatDoesNotWorkAreWithheld() {
    board.put(
        new NodeCount(
            new SlotCount(
                "n-1",
                "dual",
                4,
                4,
                1,
                Optional.empty(),
                Optional.of(PinnerSlots.notWorking("NoSocket"))),
            Map.of()));
    assertThat(queue.mayStart(gang("a", 1, 3)))
        .isEqualTo(
            waiting(
                "needs 3 slots, 0 free, 3 withheld (the container runtime does not pin on 1 of 1 nodes, first n-1: NoSocket;"
                    + " see PinnersConnected of profile dual); free slots are kept for it until"
                    + " 2026-11-21T08:05:00Z"));
  }

  @Test
  void profilesHaveTheirOwnQueues() {
    node("n-1", 2, 2);
    board.put(new NodeCount(new SlotCount("m-1", "other", 2, 2, 0, Optional.empty()), Map.of()));
    queue.mayStart(gang("a", 1, 2));
    Gang other =
        new Gang(
            new Application("default", "b"),
            new ExecutorsOf("default", "b"),
            "other",
            new Place(0, START.plusSeconds(2)),
            2,
            1);
    assertThat(queue.mayStart(other)).isEqualTo(ADMITTED);
  }

  @Test
  void severalSlotsOfAnExecutorHaveToBeOnOneNode() {
    node("n-1", 3, 0);
    node("n-2", 3, 0);
    assertThat(
            queue.mayStart(
                new Gang(app("default", "wide"), of("wide"), "dual", new Place(0, START), 3, 2)))
        .isEqualTo(
            new Waiting(
                "NotEnoughSlots",
                "needs 6 slots (3 executors of 2), but profile dual has 6 on 2 nodes now, room for"
                    + " 2 executors; request fewer executors, or add nodes (a cluster autoscaler sees no pods to add nodes for, because none exists before all have room)"));
    assertThat(
            queue.mayStart(
                new Gang(app("default", "fits"), of("fits"), "dual", new Place(0, START), 2, 2)))
        .isEqualTo(ADMITTED);
  }

  @Test
  void anotherAttemptAsksAnew() {
    node("n-1", 2, 0);
    queue.mayStart(gang("a", 1, 2));
    node("n-1", 2, 2);
    Gang second =
        new Gang(app("default", "a"), of("a-2"), "dual", new Place(0, START.plusSeconds(1)), 2, 1);
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
    queue.expect(Gang.unknown(app("default", "older"), "dual", new Place(0, START.plusSeconds(1))));
    assertThat(queue.mayStart(gang("younger", 2, 1))).isInstanceOf(Waiting.class);
    assertThat(queue.mayStart(gang("older", 1, 1))).isEqualTo(ADMITTED);
    assertThat(woken).containsExactly("younger");
  }

  @Test
  void oneThatNeverAsksKeepsItsPlaceForOneShortTurn() {
    node("n-1", 2, 0);
    queue.expect(
        Gang.unknown(app("default", "silent"), "dual", new Place(0, START.plusSeconds(1))));
    assertThat(queue.mayStart(gang("b", 2, 1))).isInstanceOf(Waiting.class);
    clock.advance(Turns.UNKNOWN);
    assertThat(queue.mayStart(gang("b", 2, 1))).isEqualTo(ADMITTED);
    clock.advance(Turns.UNKNOWN);
    assertThat(queue.mayStart(gang("c", 3, 1))).isEqualTo(ADMITTED);
  }

  @Test
  void aPromiseOfAFormerOperatorIsKeptUntilItsTime() {
    node("n-1", 4, 1, gang("running", 1, 3));
    queue.restore(gang("running", 1, 3), START.minusSeconds(60));
    queue.restore(gang("stuck", 1, 3), START.minus(StartRound.PROMISE));
    assertThat(queue.mayStart(gang("c", 0, 1))).isEqualTo(ADMITTED);
    assertThat(queue.mayStart(gang("b", 2, 2))).isInstanceOf(Waiting.class);
    clock.advance(StartRound.PROMISE.minusSeconds(60));
    assertThat(queue.mayStart(gang("b", 2, 2))).isEqualTo(ADMITTED);
    assertThat(expired).containsExactly("running");
  }

  @Test
  void theFirstLookKeepsPromisesAndFurtherOnesComeOnceASecond() {
    node("n-1", 4, 0);
    List<Instant> looks = new ArrayList<>();
    Supplier<WaitingApplications> known =
        () -> {
          looks.add(clock.instant());
          return new WaitingApplications(
              looks.size() == 1 ? List.of(gang("kept", 0, 3)) : List.of(gang("late", 0, 3)),
              List.of(),
              gang -> true);
        };
    queue.catchUp(known);
    queue.catchUp(known);
    clock.advance(Duration.ofSeconds(1));
    queue.catchUp(known);
    assertThat(looks).containsExactly(START, START.plusSeconds(1));
    assertThat(queue.mayStart(gang("a", 1, 1))).isEqualTo(ADMITTED);
    assertThat(queue.mayStart(gang("b", 2, 1))).isInstanceOf(Waiting.class);
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
            new SlotCount(name, "dual", allowed, allowed, used, Optional.empty()), Map.of()));
  }

  private void node(String name, int allowed, int used, Gang gang) {
    board.put(
        new NodeCount(
            new SlotCount(name, "dual", allowed, allowed, used, Optional.empty()),
            Map.of(
                gang.attempt(),
                IntStream.range(0, used)
                    .boxed()
                    .collect(Collectors.toMap(i -> gang.application().name() + i, i -> 1)))));
  }

  private static Waiting waiting(String message) {
    return new Waiting("WaitingForSlots", message);
  }

  private static Gang gang(String name, int since, int executors) {
    return gang("default", name, since, executors);
  }

  private static Gang gang(String namespace, String name, int since, int executors) {
    return new Gang(
        app(namespace, name),
        new ExecutorsOf(namespace, name),
        "dual",
        new Place(0, START.plusSeconds(since)),
        executors,
        1);
  }

  private static Gang important(int priority, Gang gang) {
    return new Gang(
        gang.application(),
        gang.attempt(),
        gang.profile(),
        new Place(priority, gang.since()),
        gang.executors(),
        gang.slotsPerExecutor());
  }

  private static Application app(String namespace, String name) {
    return new Application(namespace, name);
  }

  private static ExecutorsOf of(String id) {
    return new ExecutorsOf("default", id);
  }
}
