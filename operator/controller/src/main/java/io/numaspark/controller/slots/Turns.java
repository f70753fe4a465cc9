package io.numaspark.controller.slots;

import io.numaspark.controller.slots.Gang.Application;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * For whom free slots are kept when not all that wait can start, and how long.
 *
 * <p>One application has its turn: nobody else starts, so that slots gather for it. A turn ends;
 * then for as long as it lasted all may start that fit, and nothing is kept. So nobody is kept out
 * for more than half of the time. Turns go round, over namespaces and within each over its
 * applications, and an application's next turn is twice as long as its last. So each comes to one
 * that outlasts what runs before it.
 *
 * <p>Limit: the longest turn. Whoever waits for slots of something that runs for longer may wait
 * for as long as that.
 */
final class Turns {
  /** The first turn of an application. */
  static final Duration FIRST = Duration.ofMinutes(5);

  /** The longest. */
  static final Duration LONGEST = Duration.ofHours(6);

  /** The only turn of one that is expected and has not asked. */
  static final Duration UNKNOWN = Duration.ofMinutes(1);

  private final Map<Application, Taken> taken = new HashMap<>();
  private final Map<String, Instant> namespaces = new HashMap<>();
  private Optional<Turn> turn = Optional.empty();
  private Instant openUntil = Instant.MIN;

  /** Turns that an application has had. */
  private record Taken(int turns, Instant last) {
    Duration next() {
      Duration next = FIRST.multipliedBy(1L << Math.min(turns, 10));
      return next.compareTo(LONGEST) < 0 ? next : LONGEST;
    }
  }

  /** Slots are kept for this application. */
  record Turn(Application application, Instant since, Instant until) {}

  /** Forgets all but those that wait. */
  void retain(Set<Application> waiting) {
    taken.keySet().retainAll(waiting);
    namespaces
        .keySet()
        .retainAll(waiting.stream().map(Application::namespace).collect(Collectors.toSet()));
  }

  /**
   * Whose turn it is.
   *
   * @param feasible those that could start if enough were free
   */
  Optional<Turn> current(Map<Application, Gang> feasible, Instant now) {
    if (turn.isPresent()) {
      Turn held = turn.get();
      Gang gang = feasible.get(held.application());
      Instant until = gang == null ? now : held.since().plus(length(gang));
      turn = Optional.of(new Turn(held.application(), held.since(), until));
      if (!now.isBefore(until)) {
        end(gang != null, now);
      }
    }
    return turn;
  }

  /** Whether nothing is kept for anybody, until the next turn. */
  boolean isOpen(Instant now) {
    return now.isBefore(openUntil);
  }

  /** Until when nothing is kept; in the past if turns may begin. */
  Instant openUntil() {
    return openUntil;
  }

  /** Whether one that has not asked has had its turn. */
  boolean isOver(Gang gang) {
    return gang.isUnknown() && taken.containsKey(gang.application());
  }

  /** Begins the turn of the one that has waited longest since its last one. */
  Turn begin(Collection<Gang> waiting, Instant now) {
    Map<String, Instant> oldest =
        waiting.stream()
            .collect(
                Collectors.toMap(
                    gang -> gang.application().namespace(),
                    Gang::since,
                    (one, other) -> one.isBefore(other) ? one : other));
    Gang next =
        waiting.stream()
            .min(
                Comparator.<Gang, Instant>comparing(
                        gang -> {
                          String namespace = gang.application().namespace();
                          return later(namespaces.get(namespace), oldest.get(namespace));
                        })
                    .thenComparing(gang -> gang.application().namespace())
                    .thenComparing(
                        gang ->
                            later(
                                Optional.ofNullable(taken.get(gang.application()))
                                    .map(Taken::last)
                                    .orElse(null),
                                gang.since()))
                    .thenComparing(Gang.LONGEST_WAITING_FIRST))
            .orElseThrow();
    turn = Optional.of(new Turn(next.application(), now, now.plus(length(next))));
    return turn.get();
  }

  /** It has started, so that its turn ends early. */
  void started(Instant now) {
    end(false, now);
  }

  private void end(boolean inVain, Instant now) {
    Turn ended = turn.orElseThrow();
    turn = Optional.empty();
    Instant until = ended.until().isBefore(now) ? ended.until() : now;
    openUntil = now.plus(Duration.between(ended.since(), until));
    namespaces.put(ended.application().namespace(), now);
    if (inVain) {
      taken.merge(
          ended.application(),
          new Taken(1, now),
          (before, first) -> new Taken(before.turns() + 1, now));
    }
  }

  private Duration length(Gang gang) {
    return gang.isUnknown()
        ? UNKNOWN
        : taken.getOrDefault(gang.application(), new Taken(0, Instant.MIN)).next();
  }

  private static Instant later(Instant last, Instant since) {
    return last == null || last.isBefore(since) ? since : last;
  }
}
