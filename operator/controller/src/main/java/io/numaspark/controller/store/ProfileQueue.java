package io.numaspark.controller.store;

import io.numaspark.controller.slots.Gang;
import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.StartDecision;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.StartRound;
import io.numaspark.controller.slots.Turns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Those that wait for the slots of one profile, and those that were promised some.
 *
 * <p>It decides for all of them at once, and again only when something has changed or a time has
 * come. Limit: not for several threads.
 */
final class ProfileQueue {
  private final Map<Application, Gang> waiting = new HashMap<>();
  private final Map<Application, GivenPromise> promises = new HashMap<>();
  private Turns turns = Turns.NONE;
  private Optional<StartRound> round = Optional.empty();
  private long rounds;

  /** Slots that an application may take until a time. */
  private static final class GivenPromise {
    private final Gang gang;
    private final Instant until;
    private final Set<String> started = new HashSet<>();
    private boolean isOver;

    GivenPromise(Gang gang, Instant until) {
      this.gang = gang;
      this.until = until;
    }

    int executorsToCome() {
      return isOver ? 0 : Math.max(0, gang.executors() - started.size());
    }
  }

  /**
   * What one decision came to, for others.
   *
   * @param admitted those that may start since now
   * @param expired those whose promise has ended before all their executors had come
   */
  record Outcome(List<Application> admitted, List<Application> expired) {
    static final Outcome NONE = new Outcome(List.of(), List.of());
  }

  /** Notes that an application asks. */
  void ask(Gang gang, Instant now) {
    Application application = gang.application();
    GivenPromise held = promises.get(application);
    if (held != null && now.isBefore(held.until) && held.gang.asksAs(gang)) {
      return;
    }
    if (held != null) {
      promises.remove(application);
      outdate();
    }
    Gang known = waiting.get(application);
    Gang asking = known == null || known.isUnknown() ? gang : gang.waitingSince(known.since());
    if (!asking.equals(waiting.put(application, asking))) {
      outdate();
    }
  }

  /** What an application that has asked is told. */
  StartDecision answer(Application application) {
    return promises.containsKey(application)
        ? new Admitted()
        : round.orElseThrow().answer(waiting.get(application));
  }

  /** Keeps the place of one that has not asked yet. */
  void expect(Gang gang) {
    if (!promises.containsKey(gang.application())
        && waiting.putIfAbsent(gang.application(), gang) == null) {
      outdate();
    }
  }

  /** Keeps a promise that was given at this time. */
  void restore(Gang gang, Instant given, List<NodeCount> nodes) {
    if (!promises.containsKey(gang.application())) {
      promise(gang, given);
      nodes.forEach(this::note);
      outdate();
    }
  }

  /** An executor that was seen once has had its slot; what it leaves later is free for all. */
  void note(NodeCount node) {
    for (GivenPromise promise : promises.values()) {
      if (promise.executorsToCome() > 0) {
        promise.started.addAll(
            node.executors().getOrDefault(promise.gang.attempt(), Map.of()).keySet());
      }
    }
  }

  /** Something has changed that the decision depends on. */
  void outdate() {
    round = Optional.empty();
  }

  /** Forgets those that are gone. */
  void retain(Predicate<Gang> alive) {
    if (waiting.values().removeIf(alive.negate())
        | promises.values().removeIf(promise -> !alive.test(promise.gang))) {
      outdate();
    }
  }

  /** Forgets one. */
  void remove(Application application) {
    retain(gang -> !gang.application().equals(application));
  }

  boolean isEmpty() {
    return waiting.isEmpty() && promises.isEmpty();
  }

  /** Decisions that were made since the start. */
  long rounds() {
    return rounds;
  }

  /** Decides, unless what was decided still holds. */
  Outcome decide(Supplier<List<NodeCount>> nodes, Instant now) {
    if (round.filter(known -> now.isBefore(known.until())).isPresent()) {
      return Outcome.NONE;
    }
    rounds++;
    List<Application> expired = endPromises(now);
    StartRound decided =
        new StartRound(
            nodes.get(),
            promises.values().stream()
                .map(
                    promise ->
                        new StartRound.Promise(
                            promise.gang, promise.executorsToCome(), promise.until))
                .filter(left -> left.executors() > 0)
                .toList(),
            turns,
            now);
    List<Gang> admitted = decided.admit(waiting);
    turns = decided.turns();
    admitted.forEach(
        gang -> {
          waiting.remove(gang.application());
          promise(gang, now);
        });
    round = Optional.of(decided);
    return new Outcome(admitted.stream().map(Gang::application).toList(), expired);
  }

  private void promise(Gang gang, Instant given) {
    promises.put(gang.application(), new GivenPromise(gang, given.plus(StartRound.PROMISE)));
  }

  private List<Application> endPromises(Instant now) {
    List<Application> ended = new ArrayList<>();
    for (GivenPromise promise : promises.values()) {
      if (!promise.isOver && !now.isBefore(promise.until)) {
        if (promise.executorsToCome() > 0) {
          ended.add(promise.gang.application());
        }
        promise.isOver = true;
      }
    }
    return ended;
  }
}
