package io.numaspark.controller.slots;

import io.numaspark.controller.event.Signal;
import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.ProfileQueue.News;
import java.time.Instant;
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
 * what they need. A promise ends in time ({@link ProfileQueue#PROMISE}), namespaces take turns, and
 * nobody waits for ever for those that come later ({@link Turns}).
 *
 * <p>Limit: applications that start as slots become available do not ask; they can take slots
 * before the executors for which they were counted.
 */
public final class StartQueue {
  private final Function<String, List<NodeCount>> nodes;
  private final Supplier<Instant> now;
  private final Map<String, ProfileQueue> queues = new HashMap<>();
  private final Signal<Application> admissions = new Signal<>();
  private final Signal<Application> expiries = new Signal<>();

  /**
   * A queue.
   *
   * @param nodes those of a profile, as they are counted now
   * @param now the time, whenever it is asked for
   */
  public StartQueue(Function<String, List<NodeCount>> nodes, Supplier<Instant> now) {
    this.nodes = nodes;
    this.now = now;
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
    News news;
    StartDecision decision;
    synchronized (this) {
      queues.forEach(
          (profile, other) -> {
            if (!profile.equals(gang.profile())) {
              other.remove(gang.application());
            }
          });
      ProfileQueue queue = queue(gang.profile());
      queue.ask(gang, now.get());
      news = decide(gang.profile(), queue);
      decision = queue.answer(gang.application());
    }
    emit(List.of(news), gang.application());
    return decision;
  }

  /**
   * Keeps the promise that an earlier operator gave to an application.
   *
   * @param given when it was given; one that has ended since is not kept
   */
  public synchronized void restore(Gang gang, Instant given) {
    if (given.plus(ProfileQueue.PROMISE).isAfter(now.get())) {
      queue(gang.profile()).restore(gang, given, nodes.apply(gang.profile()));
    }
  }

  /**
   * Keeps the place of an application that has not asked yet, so that none passes it because it was
   * looked at later.
   */
  public synchronized void expect(Application application, String profile, Instant since) {
    queue(profile).expect(Gang.unknown(application, profile, since));
  }

  /** Forgets applications that are gone, have ended, are suspended or need not wait any more. */
  public void retain(Predicate<Gang> alive) {
    List<News> news = new ArrayList<>();
    synchronized (this) {
      queues.values().forEach(queue -> queue.retain(alive));
      queues.values().removeIf(ProfileQueue::isEmpty);
      queues.forEach((profile, queue) -> news.add(decide(profile, queue)));
    }
    emit(news, null);
  }

  /** Decisions that were made for a profile since the first one asked. */
  synchronized long rounds(String profile) {
    return queue(profile).rounds();
  }

  /** Decides again for the profiles of a node whose count has changed. */
  public void slotsChanged(SlotChange change) {
    List<News> news = new ArrayList<>();
    synchronized (this) {
      Set<String> profiles = change.profiles();
      for (String profile : profiles) {
        ProfileQueue queue = queues.get(profile);
        if (queue != null) {
          change.after().ifPresent(queue::note);
          queue.outdate();
          news.add(decide(profile, queue));
        }
      }
    }
    emit(news, null);
  }

  private ProfileQueue queue(String profile) {
    return queues.computeIfAbsent(profile, name -> new ProfileQueue());
  }

  private News decide(String profile, ProfileQueue queue) {
    return queue.decide(() -> nodes.apply(profile), now.get());
  }

  /**
   * Emits what concerns others.
   *
   * @param asking learns it from the answer; null if nobody asks
   */
  private void emit(List<News> news, Application asking) {
    for (News each : news) {
      each.admitted().stream()
          .filter(application -> !application.equals(asking))
          .forEach(admissions::emit);
      each.expired().forEach(expiries::emit);
    }
  }
}
