package io.numaspark.agent.writer;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the writer remembers of a wanted knob between two requests, to tell a drift from a first
 * time.
 *
 * <p>Limit: lives as long as the process; a new writer starts to count anew.
 */
final class KnobMemory {

  /**
   * How often a drifted knob is set again. More would be a fight with whatever else writes it, and
   * each write to a register is a line in the kernel's log.
   */
  static final int MAX_REPEATS = 3;

  private final String wanted;
  private final Set<Cell> proven = new TreeSet<>();
  private int repeats;
  private boolean givenUp;
  private String failure;

  KnobMemory(String wanted) {
    this.wanted = wanted;
  }

  String wanted() {
    return wanted;
  }

  /**
   * The cells that are to be written now; counts how often drifted ones are among them.
   *
   * @param unmet cells that have not the wanted value
   */
  List<Cell> toWrite(List<Cell> unmet) {
    if (!hasDrifted(unmet)) {
      return unmet;
    }
    if (repeats < MAX_REPEATS) {
      repeats++;
      return unmet;
    }
    givenUp = true;
    return unmet.stream().filter(cell -> !proven.contains(cell)).toList();
  }

  /** Whether some of these cells had the wanted value before. */
  boolean hasDrifted(List<Cell> unmet) {
    return unmet.stream().anyMatch(proven::contains);
  }

  /** Whether some of these cells have drifted once too often to be set again. */
  boolean hasGivenUp(List<Cell> unmet) {
    return givenUp && hasDrifted(unmet);
  }

  /**
   * Remembers where the wanted value was read back.
   *
   * @param target where it is wanted
   * @param after what was read back
   * @param why why not everywhere; null if nothing went wrong
   */
  void prove(Target target, Reading after, String why) {
    List<Cell> unmet = after.unmet(target);
    Set<Cell> drifted = new TreeSet<>(unmet);
    drifted.retainAll(proven);
    proven.clear();
    proven.addAll(target.cells());
    unmet.forEach(proven::remove);
    after.unreadable(target).forEach(proven::remove);
    // A drifted cell stays known as such until it has the wanted value again.
    proven.addAll(drifted);
    failure = why;
  }

  /** Why the knob could not be set when it was last tried; null if it could. */
  String failure() {
    return failure;
  }

  String driftMessage() {
    return givenUp
        ? "something else keeps changing it; it was set again "
            + MAX_REPEATS
            + " times and is left alone now: find out what (tuned, a script, the firmware), or take"
            + " the knob out of the profile"
        : "something else has changed it: find out what (tuned, a script, the firmware); the next"
            + " apply sets it again";
  }
}
