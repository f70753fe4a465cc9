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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random applications that start all or nothing on random nodes, with a scheduler that binds their
 * executors in any order to any node that has the slots, and an operator that is told late.
 */
class GangSimulationTest {
  private static final String PROFILE = "dual";
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final int APPLICATIONS = 40;

  private final FakeClock clock = new FakeClock(START);
  private final SlotBoard board = new SlotBoard();
  private final StartQueue queue = new StartQueue(board::nodes, clock);
  private final Queue<Application> woken = new ArrayDeque<>();
  private final Map<Application, Job> jobs = new HashMap<>();
  private final List<String> nodes = new ArrayList<>();
  private final Map<String, Integer> slots = new HashMap<>();
  private final Map<String, Map<String, Job>> bound = new HashMap<>();

  private static final class Job {
    private final Gang gang;
    private boolean started;
    private boolean done;
    private int created;
    private int ended;

    Job(Gang gang) {
      this.gang = gang;
    }

    @Override
    public String toString() {
      return "%s, %d executors of %d slots, %s"
          .formatted(
              gang.application().name(),
              gang.executors(),
              gang.slotsPerExecutor(),
              done ? "done" : started ? "started" : "waiting");
    }

    int waitingForASlot(long bound) {
      return started && !done ? gang.executors() - ended - (int) bound : 0;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void everyApplicationGetsItsTurnAndAllItsExecutors(long seed) {
    Random random = new Random(seed);
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      nodes.add("n-" + i);
      slots.put("n-" + i, 2 + random.nextInt(5));
      bound.put("n-" + i, new HashMap<>());
      publish("n-" + i);
    }
    board.changes().listen(queue::slotsChanged);
    queue.admissions().listen(woken::add);
    for (int i = 0; i < APPLICATIONS; i++) {
      submit(random, i);
      for (int step = random.nextInt(4); step > 0; step--) {
        step(random);
      }
    }
    for (int step = 0; step < 20_000 && jobs.values().stream().anyMatch(job -> !job.done); step++) {
      step(random);
    }
    assertThat(jobs.values().stream().filter(job -> !job.done))
        .as("no deadlock, no starvation: all that can fit have run")
        .isEmpty();
  }

  private void submit(Random random, int number) {
    int each = 1 + random.nextInt(2);
    int most = slots.values().stream().mapToInt(free -> free / each).sum();
    String namespace = "team-" + random.nextInt(3);
    Application application = new Application(namespace, "app-" + number);
    Gang gang =
        new Gang(
            application,
            new ExecutorsOf(namespace, application.name()),
            PROFILE,
            new Place(random.nextInt(3), START.plusSeconds(number)),
            1 + random.nextInt(most),
            each);
    jobs.put(application, new Job(gang));
    ask(application);
  }

  private void step(Random random) {
    List<Job> hungry =
        jobs.values().stream().filter(job -> job.waitingForASlot(boundOf(job)) > 0).toList();
    clock.advance(Duration.ofSeconds(1));
    switch (random.nextInt(5)) {
      case 0 -> Optional.ofNullable(woken.poll()).ifPresent(this::ask);
      case 3 ->
          jobs.keySet().stream().skip(random.nextInt(jobs.size())).findFirst().ifPresent(this::ask);
      case 1 -> {
        if (!hungry.isEmpty()) {
          bind(hungry.get(random.nextInt(hungry.size())), random);
        }
      }
      case 2 -> endAnExecutor(random);
      default -> publish(nodes.get(random.nextInt(nodes.size())));
    }
  }

  private void ask(Application application) {
    Job job = jobs.get(application);
    if (!job.started && queue.mayStart(job.gang) instanceof Admitted) {
      job.started = true;
      assertThat(promised())
          .as("never promised more than there is: %s", application)
          .isLessThanOrEqualTo(slots.values().stream().mapToInt(Integer::intValue).sum());
    }
  }

  /** Slots that are bound, or that admitted applications still have to get. */
  private int promised() {
    return jobs.values().stream()
        .mapToInt(
            job ->
                (int) (boundOf(job) + job.waitingForASlot(boundOf(job)))
                    * job.gang.slotsPerExecutor())
        .sum();
  }

  private void bind(Job job, Random random) {
    List<String> possible =
        nodes.stream().filter(node -> free(node) >= job.gang.slotsPerExecutor()).toList();
    if (!possible.isEmpty()) {
      String node = possible.get(random.nextInt(possible.size()));
      bound.get(node).put(job.gang.application().name() + "-" + job.created++, job);
    }
  }

  /** Jobs end only when all their executors have run: half of them is no use. */
  private void endAnExecutor(Random random) {
    List<Job> running =
        jobs.values().stream()
            .filter(job -> job.started && !job.done)
            .filter(job -> boundOf(job) == job.gang.executors())
            .toList();
    if (running.isEmpty()) {
      return;
    }
    Job job = running.get(random.nextInt(running.size()));
    job.done = true;
    job.ended = job.gang.executors();
    Set<String> touched =
        nodes.stream()
            .filter(node -> bound.get(node).containsValue(job))
            .collect(Collectors.toSet());
    touched.forEach(node -> bound.get(node).values().removeIf(job::equals));
    touched.forEach(this::publish);
    queue.retain(gang -> !jobs.get(gang.application()).done);
  }

  private long boundOf(Job job) {
    return bound.values().stream()
        .flatMap(pods -> pods.values().stream())
        .filter(job::equals)
        .count();
  }

  private int free(String node) {
    return slots.get(node)
        - bound.get(node).values().stream().mapToInt(job -> job.gang.slotsPerExecutor()).sum();
  }

  private void publish(String node) {
    Map<ExecutorsOf, Map<String, Integer>> executors =
        bound.get(node).entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    pod -> pod.getValue().gang.attempt(),
                    Collectors.toMap(
                        Map.Entry::getKey, pod -> pod.getValue().gang.slotsPerExecutor())));
    board.put(
        new NodeCount(
            new SlotCount(
                node,
                PROFILE,
                slots.get(node),
                slots.get(node),
                slots.get(node) - free(node),
                Optional.empty()),
            executors));
  }
}
