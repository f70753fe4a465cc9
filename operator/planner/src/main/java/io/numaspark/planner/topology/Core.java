package io.numaspark.planner.topology;

/** A physical core: its online hardware threads. */
public record Core(CpuSet threads) {
  public Core {
    if (threads.isEmpty()) {
      throw new IllegalArgumentException("a core needs at least one online thread");
    }
  }

  /**
   * The lowest thread id, which the kubelet takes as the core's id (topology.go: getUniqueCoreID).
   */
  public int id() {
    return threads.first();
  }
}
