package io.numaspark.controller.store;

import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.slots.Withheld;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers by node which executors were rejected, and whether the node's free slots are withheld.
 *
 * <p>After a restart it is filled from what profiles' statuses say and from rejected pods that
 * still exist. Limit: a rejection in the very second of the last one that a status tells of is then
 * taken for that one.
 */
public final class Withholding {
  private final Map<String, NodeHistory> nodes = new HashMap<>();

  private static final class NodeHistory {
    private Optional<Withheld> state = Optional.empty();
    private Optional<Instant> writtenUntil = Optional.empty();
    private final Map<String, Instant> seen = new HashMap<>();
  }

  /**
   * Notes a rejection.
   *
   * @return the node's state after it; empty if the rejection is known, or past
   */
  public synchronized Optional<Withheld> record(Rejection rejection, Instant now) {
    if (isPast(rejection.at(), now)) {
      return Optional.empty();
    }
    NodeHistory history = nodes.computeIfAbsent(rejection.node(), node -> new NodeHistory());
    if (history.seen.putIfAbsent(rejection.podUid(), rejection.at()) != null
        || history.writtenUntil.filter(until -> !rejection.at().isAfter(until)).isPresent()) {
      return Optional.empty();
    }
    history.state = Optional.of(Withheld.after(history.state, rejection.reason(), rejection.at()));
    return history.state;
  }

  /** Takes over what another operator wrote, for nodes of which nothing newer is known. */
  public synchronized void restore(String node, Withheld written) {
    NodeHistory history = nodes.computeIfAbsent(node, name -> new NodeHistory());
    if (history.state.filter(state -> !state.last().isBefore(written.last())).isEmpty()) {
      history.state = Optional.of(written);
      history.writtenUntil = Optional.of(written.last());
    }
  }

  /** Why the node's free slots are withheld now; empty if they are not. */
  public synchronized Optional<Withheld> of(String node, Instant now) {
    return Optional.ofNullable(nodes.get(node))
        .flatMap(history -> history.state)
        .filter(state -> state.isActive(now));
  }

  /** Forgets what lies so far back that it does not count, so that memory stays bounded. */
  public synchronized void prune(String node, Instant now) {
    NodeHistory history = nodes.get(node);
    if (history == null) {
      return;
    }
    history.seen.values().removeIf(at -> isPast(at, now));
    if (history.seen.isEmpty()
        && history.state.filter(known -> !known.isForgotten(now)).isEmpty()) {
      nodes.remove(node);
    }
  }

  /** Whether a rejection at this time has no effect any more. */
  public static boolean isPast(Instant at, Instant now) {
    return at.plus(Withheld.QUIET).isBefore(now);
  }
}
