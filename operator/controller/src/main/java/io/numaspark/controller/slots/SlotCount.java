package io.numaspark.controller.slots;

import io.numaspark.planner.capacity.SlotCapacity;
import java.util.Optional;

/**
 * The slots of one node for the one profile that has it.
 *
 * @param planned slots of the empty node
 * @param allowed slots beside all other pods, free or not ({@link SlotCapacity#capacity}), whatever
 *     the node's pinner does
 * @param used slots that pods bound to the node request
 * @param withheld why free slots are kept back now, if they are
 * @param pinner what the pinner has of them; empty where the kubelet pins
 */
public record SlotCount(
    String node,
    String profile,
    int planned,
    int allowed,
    int used,
    Optional<Withheld> withheld,
    Optional<PinnerSlots> pinner) {

  /** The slots of a node whose kubelet pins. */
  public SlotCount(
      String node,
      String profile,
      int planned,
      int allowed,
      int used,
      Optional<Withheld> withheld) {
    this(node, profile, planned, allowed, used, withheld, Optional.empty());
  }

  /**
   * What is published on the node. Never less than what is used: {@link SlotCapacity} says what a
   * restarting kubelet would do.
   */
  public int capacity() {
    if (withheld.isPresent()) {
      return used;
    }
    return pinner.map(slots -> used + Math.min(slots.free(), allowed - used)).orElse(allowed);
  }

  /** Slots that executors can still take. */
  public int free() {
    return capacity() - used;
  }

  /**
   * Free slots that are kept back for now, after a rejection or while the pinner does not work.
   * Those that it gives back a moment after their executor has ended are none: they are not worth a
   * word, nor a write of the profile's status.
   */
  public int withheldSlots() {
    return withheld.isPresent() || pinnerTrouble().isPresent() ? allowed - capacity() : 0;
  }

  /** Why the node's pinner does not work; empty if it does, or none is needed. */
  public Optional<String> pinnerTrouble() {
    return pinner.flatMap(PinnerSlots::trouble);
  }

  /** Slots that other pods cost. */
  public int lost() {
    return Math.max(0, planned - allowed);
  }
}
