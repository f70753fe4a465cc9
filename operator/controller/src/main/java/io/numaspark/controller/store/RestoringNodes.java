package io.numaspark.controller.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Since when each node's agent is putting back what it found. A restart begins to wait anew. */
public final class RestoringNodes {
  private final Map<String, Instant> since = new ConcurrentHashMap<>();

  /** When it began; empty if nothing is being put back. */
  public Optional<Instant> since(String node) {
    return Optional.ofNullable(since.get(node));
  }

  /** Notes that it has begun, unless it had before. */
  public void began(String node, Instant now) {
    since.putIfAbsent(node, now);
  }

  /** Notes that nothing is left to put back, or the node is gone. */
  public void ended(String node) {
    since.remove(node);
  }
}
