package io.numaspark.controller.slots;

import io.numaspark.planner.plan.ExecutorShape;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What pods can request of a node, as its kubelet says.
 *
 * @param cpus empty if it has not said so yet; then nothing is bounded by it
 * @param bytes the same
 */
public record Allocatable(Optional<BigDecimal> cpus, Optional<BigDecimal> bytes) {
  public static final Allocatable UNKNOWN = new Allocatable(Optional.empty(), Optional.empty());

  /** Executors of this shape that the scheduler still finds room for beside these pods. */
  int executors(ExecutorShape shape, PodDemand pods) {
    long byCpus = room(cpus.map(PodDemand::milli), pods.milliCpus(), 1000L * shape.cpus().cpus());
    long byMemory = room(bytes.map(PodDemand::whole), pods.bytes(), shape.memory().podBytes());
    return (int) Math.min(Integer.MAX_VALUE, Math.min(byCpus, byMemory));
  }

  private static long room(Optional<Long> all, long taken, long each) {
    return all.map(of -> Math.max(0, of - taken) / each).orElse(Long.MAX_VALUE);
  }
}
