package io.numaspark.controller.slots;

import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.ProfileQueue.News;
import io.numaspark.controller.slots.SlotBoard.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
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
  private final SlotBoard board;
  private final Supplier<Instant> now;
  private final Map<String, ProfileQueue> queues = new HashMap<>();
  private final List<Consumer<Application>> wakers = new CopyOnWriteArrayList<>();
  private final List<Consumer<Application>> expiries = new CopyOnWriteArrayList<>();

  /**
   * A queue.
   *
   * @param now the time, whenever it is asked for
   */
  public StartQueue(SlotBoard board, Supplier<Instant> now) {
    this.board = board;
    this.now = now;
    board.onChange(this::changed);
  }

  /** Called with an application that is admitted since it asked. */
  public void onWake(Consumer<Application> waker) {
    wakers.add(waker);
  }

  /** Called with an application whose promise has ended before all its executors had come. */
  public void onExpiry(Consumer<Application> listener) {
    expiries.add(listener);
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
    tell(List.of(news), gang.application());
    return decision;
  }

  /**
   * Keeps the promise that an earlier operator gave to an application.
   *
   * @param given when it was given; one that has ended since is not kept
   */
  public synchronized void restore(Gang gang, Instant given) {
    if (given.plus(ProfileQueue.PROMISE).isAfter(now.get())) {
      queue(gang.profile()).restore(gang, given, board.nodes(gang.profile()));
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
    tell(news, null);
  }

  /** Decisions that were made for a profile since the first one asked. */
  synchronized long rounds(String profile) {
    return queue(profile).rounds();
  }

  private void changed(Change change) {
    List<News> news = new ArrayList<>();
    synchronized (this) {
      Set<String> profiles = change.profiles();
      for (String profile : profiles) {
        ProfileQueue queue = queues.get(profile);
        if (queue != null) {
          change.after().flatMap(slots -> board.count(slots.node())).ifPresent(queue::note);
          queue.outdate();
          news.add(decide(profile, queue));
        }
      }
    }
    tell(news, null);
  }

  private ProfileQueue queue(String profile) {
    return queues.computeIfAbsent(profile, name -> new ProfileQueue());
  }

  private News decide(String profile, ProfileQueue queue) {
    return queue.decide(() -> board.nodes(profile), now.get());
  }

  /**
   * Tells those whom it concerns.
   *
   * @param asking learns it from the answer; null if nobody asks
   */
  private void tell(List<News> news, Application asking) {
    for (News each : news) {
      each.admitted().stream()
          .filter(application -> !application.equals(asking))
          .forEach(application -> wakers.forEach(waker -> waker.accept(application)));
      each.expired()
          .forEach(application -> expiries.forEach(listener -> listener.accept(application)));
    }
  }
}
