package io.numaspark.controller.slots;

import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.GangDecision.Demand;
import io.numaspark.controller.slots.SlotBoard.Change;
import io.numaspark.controller.slots.SlotBoard.ExecutorsOf;
import io.numaspark.controller.slots.SlotBoard.NodeCount;
import io.numaspark.controller.slots.StartDecision.Admitted;
import io.numaspark.controller.slots.StartDecision.Waiting;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * Lets applications that start all or nothing through one after the other, the oldest of a profile
 * first.
 *
 * <p>An application is admitted when its profile has a free slot for every executor, beside those
 * that applications admitted earlier have not taken yet. Hence no two of them can each hold half of
 * what they need. The oldest that waits is never passed by a younger one, so it gets its turn; only
 * one that the profile could not hold even if it were empty is passed, until nodes come.
 *
 * <p>Limit: applications that start as slots become available do not ask; they can take slots
 * before the executors for which they were counted.
 */
public final class StartQueue {
  private final SlotBoard board;
  private final Map<Application, Gang> waiting = new HashMap<>();
  private final Map<Application, Reservation> reservations = new HashMap<>();
  private final List<Consumer<Application>> wakers = new CopyOnWriteArrayList<>();

  private static final class Reservation {
    private final Gang gang;
    private final Set<String> started = new HashSet<>();

    Reservation(Gang gang) {
      this.gang = gang;
    }

    /** Slots that the application was promised and has not taken. */
    Demand outstanding() {
      return new Demand(Math.max(0, gang.executors() - started.size()), gang.slotsPerExecutor());
    }
  }

  public StartQueue(SlotBoard board) {
    this.board = board;
    board.onChange(this::changed);
  }

  /** Called with an application that would be admitted if it asked again. */
  public void onWake(Consumer<Application> waker) {
    wakers.add(waker);
  }

  /**
   * Whether an application may start now. An application that was admitted stays admitted until it
   * is forgotten or asks for another attempt.
   */
  public StartDecision mayStart(Gang gang) {
    Optional<Application> next;
    StartDecision decision;
    synchronized (this) {
      Reservation held = reservations.get(gang.application());
      if (held != null && held.gang.attempt().equals(gang.attempt())) {
        return new Admitted();
      }
      reservations.remove(gang.application());
      decision = decide(gang);
      if (decision instanceof Admitted) {
        waiting.remove(gang.application());
        reserve(gang);
      } else {
        waiting.put(gang.application(), gang);
      }
      next = next(gang.profile());
    }
    wake(next);
    return decision;
  }

  /** Keeps the promise that an earlier operator gave to an application that runs now. */
  public synchronized void restore(Gang gang) {
    if (!reservations.containsKey(gang.application())) {
      reserve(gang);
    }
  }

  /**
   * Keeps the place of an older application that has not asked yet, so that none passes it because
   * it was looked at later.
   */
  public synchronized void expect(Application application, String profile, Instant created) {
    if (!reservations.containsKey(application)) {
      waiting.putIfAbsent(application, Gang.unknown(application, profile, created));
    }
  }

  /** Forgets applications that are gone, have ended, are suspended or need not wait any more. */
  public void retain(Predicate<Gang> alive) {
    Set<Application> next = new HashSet<>();
    synchronized (this) {
      Set<String> profiles = new HashSet<>();
      Stream.concat(
              waiting.values().stream(), reservations.values().stream().map(held -> held.gang))
          .filter(gang -> !alive.test(gang))
          .toList()
          .forEach(
              gang -> {
                waiting.remove(gang.application());
                reservations.remove(gang.application());
                profiles.add(gang.profile());
              });
      profiles.forEach(profile -> next(profile).ifPresent(next::add));
    }
    next.forEach(application -> wake(Optional.of(application)));
  }

  private void changed(Change change) {
    Set<Application> next = new HashSet<>();
    synchronized (this) {
      change
          .profiles()
          .forEach(
              profile -> {
                noteExecutors(profile);
                next(profile).ifPresent(next::add);
              });
    }
    next.forEach(application -> wake(Optional.of(application)));
  }

  /** The oldest of those that wait for a profile and would be admitted. */
  private Optional<Application> next(String profile) {
    return waiting.values().stream()
        .filter(gang -> gang.profile().equals(profile))
        .sorted(Gang.OLDEST_FIRST)
        .filter(gang -> decide(gang) instanceof Admitted)
        .findFirst()
        .map(Gang::application);
  }

  private void reserve(Gang gang) {
    reservations.put(gang.application(), new Reservation(gang));
    noteExecutors(gang.profile());
  }

  /** An executor that was seen once has had its slot; what it leaves later is free for all. */
  private void noteExecutors(String profile) {
    List<NodeCount> nodes = board.nodes(profile);
    for (Reservation reservation : reservations.values()) {
      if (reservation.gang.profile().equals(profile) && reservation.outstanding().executors() > 0) {
        ExecutorsOf attempt = reservation.gang.attempt();
        nodes.forEach(
            node -> reservation.started.addAll(node.executors().getOrDefault(attempt, List.of())));
      }
    }
  }

  private StartDecision decide(Gang gang) {
    List<NodeSlots> nodes = board.nodes(gang.profile()).stream().map(NodeCount::slots).toList();
    List<Integer> allowed = nodes.stream().map(NodeSlots::allowed).toList();
    int most = GangDecision.fits(allowed, gang.slotsPerExecutor());
    if (most < gang.executors()) {
      return new Waiting(WaitingReason.NOT_ENOUGH_SLOTS, tooLarge(gang, nodes, most));
    }
    List<Integer> free = nodes.stream().map(NodeSlots::free).toList();
    List<Demand> promised =
        reservations.values().stream()
            .filter(reservation -> reservation.gang.profile().equals(gang.profile()))
            .map(Reservation::outstanding)
            .toList();
    long ahead =
        waiting.values().stream()
            .filter(other -> other.profile().equals(gang.profile()))
            .filter(other -> Gang.OLDEST_FIRST.compare(other, gang) < 0)
            .filter(
                other -> GangDecision.fits(allowed, other.slotsPerExecutor()) >= other.executors())
            .count();
    return ahead == 0 && GangDecision.allFit(free, promised, gang.demand())
        ? new Admitted()
        : new Waiting(WaitingReason.WAITING_FOR_SLOTS, waits(gang, nodes, promised, ahead));
  }

  private static String waits(Gang gang, List<NodeSlots> nodes, List<Demand> promised, long ahead) {
    long reserved = promised.stream().mapToLong(Demand::slots).sum();
    StringBuilder message = new StringBuilder(needs(gang));
    message.append(", ").append(total(nodes, NodeSlots::free)).append(" free");
    if (reserved > 0) {
      message.append(" of which ").append(reserved).append(" are promised to others");
    }
    int withheld = total(nodes, NodeSlots::withheldSlots);
    if (withheld > 0) {
      message.append(", ").append(withheld).append(" withheld");
    }
    if (promised.stream().anyMatch(demand -> demand.slotsPerExecutor() > 1)
        || gang.slotsPerExecutor() > 1) {
      message.append("; the slots of one executor have to be free on one node");
    }
    if (ahead > 0) {
      message.append(", ").append(ahead).append(ahead == 1 ? " application" : " applications");
      message.append(" ahead");
    }
    return message.toString();
  }

  private static String tooLarge(Gang gang, List<NodeSlots> nodes, int most) {
    String all =
        "%s, but profile %s has %d on %d nodes now"
            .formatted(needs(gang), gang.profile(), total(nodes, NodeSlots::allowed), nodes.size());
    return (gang.slotsPerExecutor() > 1 ? all + ", room for " + most + " executors" : all)
        + "; ask for fewer executors, or add nodes";
  }

  private static String needs(Gang gang) {
    String slots = "needs " + gang.demand().slots() + " slots";
    return gang.slotsPerExecutor() == 1
        ? slots
        : slots + " (" + gang.executors() + " executors of " + gang.slotsPerExecutor() + ")";
  }

  private static int total(List<NodeSlots> nodes, ToIntFunction<NodeSlots> of) {
    return nodes.stream().mapToInt(of).sum();
  }

  private void wake(Optional<Application> application) {
    application.ifPresent(found -> wakers.forEach(waker -> waker.accept(found)));
  }
}
