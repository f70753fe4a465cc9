package io.numaspark.controller.slots;

import io.numaspark.planner.capacity.SlotCapacity;
import java.util.Optional;

/**
 * The slots of one node for the one profile that has it.
 *
 * @param planned slots of the empty node
 * @param allowed slots beside all other pods, free or not ({@link SlotCapacity#capacity})
 * @param used slots that pods bound to the node request
 * @param withheld why free slots are kept back now, if they are
 */
public record SlotCount(
    String node, String profile, int planned, int allowed, int used, Optional<Withheld> withheld) {

  /**
   * What is published on the node. Never less than what is used: {@link SlotCapacity} says what a
   * restarting kubelet would do.
   */
  public int capacity() {
    return withheld.isPresent() ? used : allowed;
  }

  /** Slots that executors can still take. */
  public int free() {
    return capacity() - used;
  }

  /** Free slots that are kept back for now. */
  public int withheldSlots() {
    return allowed - capacity();
  }

  /** Slots that other pods cost. */
  public int lost() {
    return Math.max(0, planned - allowed);
  }
}
