package io.numaspark.agent;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Decides when a status is worth a write: at once if something has happened, once a minute if only
 * percentages have moved, and every five minutes as a sign of life.
 */
final class StatusPace {
  /** Containers that start together are told of together. */
  static final Duration BURST = Duration.ofSeconds(2);

  static final Duration DRIFT = Duration.ofMinutes(1);
  static final Duration HEARTBEAT = Duration.ofMinutes(5);

  /** Percentages that move by less are noise. */
  private static final int POINTS = 5;

  private StatusPace() {}

  /**
   * When to write.
   *
   * @param written what was written last; null for nothing
   * @param at when that was
   * @param next what is true now
   */
  static Instant due(SparkNodeTopologyStatus written, Instant at, SparkNodeTopologyStatus next) {
    if (written == null) {
      return Instant.EPOCH;
    }
    if (!substance(written).equals(substance(next))) {
      return at.plus(BURST);
    }
    return at.plus(percentagesMoved(written.exclusive(), next.exclusive()) ? DRIFT : HEARTBEAT);
  }

  /** What is the same in two statuses if nothing has happened. */
  private static SparkNodeTopologyStatus substance(SparkNodeTopologyStatus status) {
    return new SparkNodeTopologyStatus(
        status.observedGeneration(),
        null,
        status.agentVersion(),
        status.bootId(),
        status.allocatableCpus(),
        status.exclusive().stream().map(entry -> withPercentages(entry, null, null)).toList(),
        status.knobs(),
        status.conditions());
  }

  private static ExclusiveContainer withPercentages(
      ExclusiveContainer entry, Integer local, Integer throttled) {
    return new ExclusiveContainer(
        entry.namespace(),
        entry.pod(),
        entry.container(),
        entry.podUid(),
        entry.containerId(),
        entry.cpus(),
        entry.memoryNodes(),
        entry.kernelCpus(),
        entry.kernelMemoryNodes(),
        local,
        throttled);
  }

  /** Only asked if the lists are otherwise equal. */
  private static boolean percentagesMoved(
      List<ExclusiveContainer> before, List<ExclusiveContainer> after) {
    for (int i = 0; i < before.size(); i++) {
      if (moved(before.get(i).localMemoryPercent(), after.get(i).localMemoryPercent())
          || moved(before.get(i).throttledPercent(), after.get(i).throttledPercent())) {
        return true;
      }
    }
    return false;
  }

  private static boolean moved(Integer before, Integer after) {
    if (before == null || after == null) {
      return !Objects.equals(before, after);
    }
    return Math.abs(before - after) >= POINTS;
  }
}
