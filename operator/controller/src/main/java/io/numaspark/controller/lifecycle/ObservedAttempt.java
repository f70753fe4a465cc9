package io.numaspark.controller.lifecycle;

import java.time.Instant;
import java.util.Optional;

/**
 * What is seen of the current attempt.
 *
 * @param driver its driver pod
 * @param executorsLeft whether executor pods of it still exist
 * @param endedAt when the driver ended, by its node's clock; empty if it did not or if nobody knows
 */
public record ObservedAttempt(
    DriverPhase driver, boolean executorsLeft, Optional<Instant> endedAt) {

  /** What a driver pod can look like. */
  public enum DriverPhase {
    /** There is no such pod. */
    ABSENT,
    /** The pod waits for a node, an image or its container. */
    STARTING,
    /** The driver's container runs. */
    RUNNING,
    /** Its node does not answer, so nobody knows. */
    UNREACHABLE,
    /** The driver's container ended with exit code 0. */
    SUCCEEDED,
    /** The driver's container or its pod failed. */
    FAILED;

    /** Whether the driver has ended; what is left is its pod. */
    public boolean hasEnded() {
      return this == SUCCEEDED || this == FAILED;
    }
  }

  boolean isGone() {
    return driver == DriverPhase.ABSENT && !executorsLeft;
  }
}
