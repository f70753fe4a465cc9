package io.numaspark.controller.slots;

import io.numaspark.controller.slots.Gang.Application;
import io.numaspark.controller.slots.Gang.Place;
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
 * applications of the highest priority, and an application's next turn is twice as long as its
 * last. So each of these comes to one that outlasts what runs before it.
 *
 * <p>Limits: the longest turn; whoever waits for slots of something that runs for longer may wait
 * for as long as that. And priorities: an application has no turn while one of its namespace with a
 * higher priority waits.
 *
 * @param vain turns that those that wait have had without starting
 * @param namespaces when the last turn of each ended
 * @param turn whose turn it is, if it is anybody's
 * @param openUntil until when nothing is kept; in the past if turns may begin
 */
public record Turns(
    Map<Application, Vain> vain,
    Map<String, Instant> namespaces,
    Optional<Turn> turn,
    Instant openUntil) {
  /** The first turn of an application. */
  public static final Duration FIRST = Duration.ofMinutes(5);

  /** The longest. */
  public static final Duration LONGEST = Duration.ofHours(6);

  /** The only turn of one that is expected and has not asked. */
  public static final Duration UNKNOWN = Duration.ofMinutes(1);

  /** Before anybody has waited. */
  public static final Turns NONE = new Turns(Map.of(), Map.of(), Optional.empty(), Instant.MIN);

  public Turns {
    vain = Map.copyOf(vain);
    namespaces = Map.copyOf(namespaces);
  }

  /** Turns that an application has had without starting. */
  public record Vain(int turns, Instant last) {
    Duration next() {
      Duration next = FIRST.multipliedBy(1L << Math.min(turns, 10));
      return next.compareTo(LONGEST) < 0 ? next : LONGEST;
    }
  }

  /** Slots are kept for this application. */
  public record Turn(Application application, Instant since, Instant until) {}

  /** Without all but those that wait. */
  Turns retain(Set<Application> waiting) {
    Map<Application, Vain> vainLeft = new HashMap<>(vain);
    vainLeft.keySet().retainAll(waiting);
    Map<String, Instant> namespacesLeft = new HashMap<>(namespaces);
    namespacesLeft
        .keySet()
        .retainAll(waiting.stream().map(Application::namespace).collect(Collectors.toSet()));
    return new Turns(vainLeft, namespacesLeft, turn, openUntil);
  }

  /**
   * With the end of the turn as it is now; {@link #turn} is empty if it is over.
   *
   * @param feasible those that could start if enough were free
   */
  Turns at(Instant now, Map<Application, Gang> feasible) {
    if (turn.isEmpty()) {
      return this;
    }
    Turn held = handedOver(turn.get(), feasible);
    Gang gang = feasible.get(held.application());
    Instant until = gang == null ? now : held.since().plus(length(gang));
    Turns current = withTurn(new Turn(held.application(), held.since(), until));
    return now.isBefore(until) ? current : current.ended(gang != null, now);
  }

  /** A more important one of the same namespace need not wait for the end of a turn. */
  private static Turn handedOver(Turn held, Map<Application, Gang> feasible) {
    Gang holder = feasible.get(held.application());
    return feasible.values().stream()
        .filter(gang -> holder != null && gang.place().priority() > holder.place().priority())
        .filter(gang -> gang.application().namespace().equals(held.application().namespace()))
        .min(Gang.MOST_IMPORTANT_FIRST)
        .map(gang -> new Turn(gang.application(), held.since(), held.until()))
        .orElse(held);
  }

  private Turns withTurn(Turn begun) {
    return new Turns(vain, namespaces, Optional.of(begun), openUntil);
  }

  /** Whether nothing is kept for anybody, until the next turn. */
  boolean isOpen(Instant now) {
    return now.isBefore(openUntil);
  }

  /** Whether one that has not asked has had its turn. */
  boolean isOver(Gang gang) {
    return gang.isUnknown() && vain.containsKey(gang.application());
  }

  /** Begins the turn of the one that has waited longest since its last one, by namespaces first. */
  Turns begin(Collection<Gang> waiting, Instant now) {
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
                    .thenComparing(Gang::place, Place.HIGHEST_PRIORITY_FIRST)
                    .thenComparing(
                        gang ->
                            later(
                                Optional.ofNullable(vain.get(gang.application()))
                                    .map(Vain::last)
                                    .orElse(null),
                                gang.since()))
                    .thenComparing(Gang.LONGEST_WAITING_FIRST))
            .orElseThrow();
    return withTurn(new Turn(next.application(), now, now.plus(length(next))));
  }

  /** It has started, so that its turn ends early. */
  Turns started(Instant now) {
    return ended(false, now);
  }

  private Turns ended(boolean inVain, Instant now) {
    Turn ended = turn.orElseThrow();
    Instant until = ended.until().isBefore(now) ? ended.until() : now;
    Map<String, Instant> namespacesNow = new HashMap<>(namespaces);
    namespacesNow.put(ended.application().namespace(), now);
    Map<Application, Vain> vainNow = new HashMap<>(vain);
    if (inVain) {
      vainNow.merge(
          ended.application(),
          new Vain(1, now),
          (before, first) -> new Vain(before.turns() + 1, now));
    }
    return new Turns(
        vainNow, namespacesNow, Optional.empty(), now.plus(Duration.between(ended.since(), until)));
  }

  private Duration length(Gang gang) {
    return gang.isUnknown()
        ? UNKNOWN
        : vain.getOrDefault(gang.application(), new Vain(0, Instant.MIN)).next();
  }

  private static Instant later(Instant last, Instant since) {
    return last == null || last.isBefore(since) ? since : last;
  }
}
