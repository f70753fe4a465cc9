package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.slots.Gang;
import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.Gang.Place;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.NodeCount.ExecutorsOf;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.Turns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tenants who want it all, minute by simulated minute: whoever fits an empty profile starts in the
 * end, however many others come.
 */
class FairStartTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final int SLOTS = 10;

  private final FakeClock clock = new FakeClock(START);
  private final SlotBoard board = new SlotBoard();
  private final StartQueue queue = new StartQueue(board::nodes, clock);
  private final List<Job> waiting = new ArrayList<>();
  private final List<Job> running = new ArrayList<>();
  private final Map<Job, Integer> waited = new HashMap<>();
  private int minute;
  private int submitted;

  FairStartTest() {
    board.changes().listen(queue::slotsChanged);
  }

  /**
   * A job.
   *
   * @param minutes that it runs; 0 for a driver that never starts
   */
  private record Job(Gang gang, int from, int minutes) {
    String namespace() {
      return gang.application().namespace();
    }
  }

  @Test
  void manySmallOnesDoNotKeepALargeOneOut() {
    for (int i = 0; i < SLOTS; i++) {
      submit("small", 1, 45 + i);
    }
    Job large = submit("large", SLOTS, 30);
    while (minute < 24 * 60 && waiting.contains(large)) {
      submit("small", 1, 45);
      step();
    }
    assertThat(waited).containsKey(large);
    assertThat(waited.get(large)).as("minutes").isLessThan(6 * 60);
    assertThat(ofNamespace("small")).as("nor does it keep them out").hasSizeGreaterThan(20);
  }

  @Test
  void manyLargeOnesDoNotKeepASmallOneOut() {
    for (int i = 0; i < 50; i++) {
      submit("large", SLOTS, 30);
    }
    Job small = submit("small", 1, 30);
    while (minute < 24 * 60 && waiting.contains(small)) {
      submit("large", SLOTS, 30);
      step();
    }
    assertThat(waited.get(small)).as("minutes").isLessThan(3 * 60);
  }

  /** What never ends keeps the large one out; it must not keep the others out with it. */
  @Test
  void aLargeOneThatCannotStartBlocksForHalfOfTheTimeAtMost() {
    submit("forever", 1, Integer.MAX_VALUE);
    step();
    submit("large", SLOTS, 30);
    int blocked = 0;
    // Turns of 5, 10, 20 minutes and so on, and as long after each.
    int minutes = 2 * (5 + 10 + 20 + 40 + 80 + 160 + 320);
    for (int i = 0; i < minutes; i++) {
      Job small = submit("small", 1, 1);
      step();
      blocked += waiting.contains(small) ? 1 : 0;
    }
    assertThat(blocked).isLessThan(minutes * 6 / 10);
    assertThat(waited.values()).allMatch(wait -> wait <= Turns.LONGEST.toMinutes() + 1);
  }

  @Test
  void driversThatNeverStartHoldSlotsForAsLongAsAPromise() {
    for (int i = 0; i < 5; i++) {
      submit("stuck", SLOTS, 0);
    }
    Job honest = submit("honest", SLOTS, 10);
    while (minute < 24 * 60 && waiting.contains(honest)) {
      step();
    }
    assertThat(waited.get(honest)).as("minutes").isLessThanOrEqualTo(16);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void everyoneStartsInTheEnd(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 80; i++) {
      String namespace = "team-" + (int) Math.abs(random.nextGaussian() * 2);
      submit(
          namespace,
          random.nextInt(10) == 0 ? SLOTS : 1 + random.nextInt(SLOTS),
          random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(60));
      for (int pause = random.nextInt(20); pause > 0; pause--) {
        step();
      }
    }
    for (int i = 0; i < 60 * 24 * 60 && !waiting.isEmpty(); i++) {
      step();
    }
    assertThat(waiting).isEmpty();
  }

  @Test
  void hundredsThatWaitAreDecidedOnceForEachChange() {
    submit("first", SLOTS, 10);
    for (int i = 0; i < 300; i++) {
      submit("team-" + i % 7, 1 + i % SLOTS, 10);
    }
    long before = queue.rounds("dual");
    step();
    assertThat(queue.rounds("dual") - before).as("for 301 questions").isLessThanOrEqualTo(1);
  }

  private Stream<Job> ofNamespace(String namespace) {
    return waited.keySet().stream().filter(job -> job.namespace().equals(namespace));
  }

  private Job submit(String namespace, int executors, int minutes) {
    String name = "app-" + submitted++;
    Gang gang =
        new Gang(
            new Application(namespace, name),
            new ExecutorsOf(namespace, name),
            "dual",
            new Place(0, clock.instant()),
            executors,
            1);
    Job job = new Job(gang, minute, minutes);
    waiting.add(job);
    if (submitted == 1) {
      publish();
    }
    ask(job);
    return job;
  }

  private void step() {
    minute++;
    clock.advance(Duration.ofMinutes(1));
    if (running.removeIf(job -> minute >= job.from() + (long) job.minutes())) {
      publish();
    }
    List.copyOf(waiting).forEach(this::ask);
  }

  private void ask(Job job) {
    if (queue.mayStart(job.gang()) instanceof Admitted) {
      waiting.remove(job);
      waited.put(job, minute - job.from());
      if (job.minutes() > 0) {
        running.add(new Job(job.gang(), minute, job.minutes()));
        publish();
      }
    }
  }

  private void publish() {
    Map<ExecutorsOf, Map<String, Integer>> executors = new HashMap<>();
    for (Job job : running) {
      Map<String, Integer> pods = new HashMap<>();
      for (int i = 0; i < job.gang().executors(); i++) {
        pods.put(job.gang().application().name() + "-" + i, 1);
      }
      executors.put(job.gang().attempt(), pods);
    }
    int used = executors.values().stream().mapToInt(Map::size).sum();
    assertThat(used).as("never more than there are").isLessThanOrEqualTo(SLOTS);
    board.put(
        new NodeCount(
            new SlotCount("n-1", "dual", SLOTS, SLOTS, used, Optional.empty()), executors));
  }
}
