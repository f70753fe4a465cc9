package io.numaspark.controller.store;

import io.numaspark.controller.lifecycle.AgentDecision.Restoring;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Since when each node's agent restores what it found. A restart begins to wait anew. */
public final class RestoringNodes {
  private final Map<String, Restoring> byNode = new ConcurrentHashMap<>();

  /** Since when the agent of a node restores. */
  public Restoring of(String node) {
    return byNode.getOrDefault(node, Restoring.NOTHING);
  }

  /** Notes since when it restores, or that nothing is left to restore. */
  public void put(String node, Restoring restoring) {
    if (restoring.equals(Restoring.NOTHING)) {
      byNode.remove(node);
    } else {
      byNode.put(node, restoring);
    }
  }
}
