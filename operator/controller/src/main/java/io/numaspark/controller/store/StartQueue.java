package io.numaspark.controller.store;

import io.numaspark.controller.event.Signal;
import io.numaspark.controller.slots.Gang;
import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.NodeCount;
import io.numaspark.controller.slots.SlotChange;
import io.numaspark.controller.slots.StartDecision;
import io.numaspark.controller.slots.StartRound;
import io.numaspark.controller.slots.Turns;
import io.numaspark.controller.store.ProfileQueue.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Lets applications that start all or nothing through, each profile for itself.
 *
 * <p>An application is admitted when its profile has a free slot for every executor, beside those
 * that applications admitted earlier have not taken yet. Hence no two of them can each hold half of
 * what they need. A promise ends in time ({@link StartRound#PROMISE}), namespaces take turns, and
 * nobody waits for ever for those that come later ({@link Turns}).
 *
 * <p>Limit: applications that start as slots become available do not ask; they can take slots
 * before the executors for which they were counted.
 */
public final class StartQueue {
  private static final Duration CATCH_UP = Duration.ofSeconds(1);

  private final Function<String, List<NodeCount>> nodes;
  private final InstantSource clock;
  private final Map<String, ProfileQueue> queues = new HashMap<>();
  private final Signal<Application> admissions = new Signal<>();
  private final Signal<Application> expiries = new Signal<>();
  private final Object catchingUp = new Object();
  private Instant caughtUp = Instant.MIN;

  /**
   * A queue.
   *
   * @param nodes those of a profile, as they are counted now
   */
  public StartQueue(Function<String, List<NodeCount>> nodes, InstantSource clock) {
    this.nodes = nodes;
    this.clock = clock;
  }

  /** Emitted with an application that is admitted since it asked. */
  public Signal<Application> admissions() {
    return admissions;
  }

  /** Emitted with an application whose promise has ended before all its executors had come. */
  public Signal<Application> expiries() {
    return expiries;
  }

  /**
   * Whether an application may start now. An application that was admitted stays admitted until its
   * promise ends, it is forgotten, or it asks for something else.
   */
  public StartDecision mayStart(Gang gang) {
    Outcome outcome;
    StartDecision decision;
    synchronized (this) {
      queues.forEach(
          (profile, other) -> {
            if (!profile.equals(gang.profile())) {
              other.remove(gang.application());
            }
          });
      ProfileQueue queue = queue(gang.profile());
      queue.ask(gang, clock.instant());
      outcome = decide(gang.profile(), queue);
      decision = queue.answer(gang.application());
    }
    emit(List.of(outcome), gang.application());
    return decision;
  }

  /**
   * Looks at all applications that start all or nothing, at most once a second, because it costs;
   * those that wait ask every 15 seconds. Whoever asks meanwhile waits for the first look, which
   * keeps the promises of an earlier operator.
   *
   * @param known those applications as they are now
   */
  public void catchUp(Supplier<WaitingApplications> known) {
    synchronized (catchingUp) {
      Instant now = clock.instant();
      if (now.isBefore(caughtUp.plus(CATCH_UP)) && !now.isBefore(caughtUp)) {
        return;
      }
      WaitingApplications applications = known.get();
      if (caughtUp.equals(Instant.MIN)) {
        applications.promised().forEach(gang -> restore(gang, gang.since()));
      }
      caughtUp = now;
      applications.expected().forEach(this::expect);
      retain(applications.alive());
    }
  }

  /**
   * Applications that start all or nothing, from their specs and statuses.
   *
   * @param promised those to which an operator gave slots, since when
   * @param expected those that are to be started and may not have asked yet
   * @param alive whether an application still wants the slots that it asked for
   */
  public record WaitingApplications(
      List<Gang> promised, List<Gang> expected, Predicate<Gang> alive) {}

  /**
   * Keeps the promise that an earlier operator gave to an application.
   *
   * @param given when it was given; one that has ended since is not kept
   */
  synchronized void restore(Gang gang, Instant given) {
    if (given.plus(StartRound.PROMISE).isAfter(clock.instant())) {
      queue(gang.profile()).restore(gang, given, nodes.apply(gang.profile()));
    }
  }

  /**
   * Keeps the place of an application that has not asked yet, so that none passes it because it was
   * looked at later.
   */
  synchronized void expect(Gang gang) {
    queue(gang.profile()).expect(gang);
  }

  /** Forgets applications that are gone, have ended, are suspended or need not wait any more. */
  void retain(Predicate<Gang> alive) {
    List<Outcome> outcomes = new ArrayList<>();
    synchronized (this) {
      queues.values().forEach(queue -> queue.retain(alive));
      queues.values().removeIf(ProfileQueue::isEmpty);
      queues.forEach((profile, queue) -> outcomes.add(decide(profile, queue)));
    }
    emit(outcomes, null);
  }

  /** Decisions that were made for a profile since the first one asked. */
  synchronized long rounds(String profile) {
    return queue(profile).rounds();
  }

  /** Decides again for the profiles of a node whose count has changed. */
  public void slotsChanged(SlotChange change) {
    List<Outcome> outcomes = new ArrayList<>();
    synchronized (this) {
      Set<String> profiles = change.profiles();
      for (String profile : profiles) {
        ProfileQueue queue = queues.get(profile);
        if (queue != null) {
          change.after().ifPresent(queue::note);
          queue.outdate();
          outcomes.add(decide(profile, queue));
        }
      }
    }
    emit(outcomes, null);
  }

  private ProfileQueue queue(String profile) {
    return queues.computeIfAbsent(profile, name -> new ProfileQueue());
  }

  private Outcome decide(String profile, ProfileQueue queue) {
    return queue.decide(() -> nodes.apply(profile), clock.instant());
  }

  /**
   * Emits what concerns others.
   *
   * @param asking learns it from the answer; null if nobody asks
   */
  private void emit(List<Outcome> outcomes, Application asking) {
    for (Outcome each : outcomes) {
      each.admitted().stream()
          .filter(application -> !application.equals(asking))
          .forEach(admissions::emit);
      each.expired().forEach(expiries::emit);
    }
  }
}
