package io.numaspark.planner.topology;

import java.util.Optional;

/**
 * What is known of a node beside its topology; advice rests on it, plans do not.
 *
 * <p>It is not a part of {@link Machine}: nodes that differ by it alone are one node class.
 *
 * @param memorySpeed speed in MT/s that the firmware has set for the slowest memory module
 * @param ratedMemorySpeed highest speed in MT/s of the slowest memory module
 */
public record Hardware(Optional<Integer> memorySpeed, Optional<Integer> ratedMemorySpeed) {

  /** Whether the memory could run faster than it does. */
  public boolean hasSlowedMemory() {
    return memorySpeed.isPresent()
        && ratedMemorySpeed.isPresent()
        && memorySpeed.get() < ratedMemorySpeed.get();
  }
}
