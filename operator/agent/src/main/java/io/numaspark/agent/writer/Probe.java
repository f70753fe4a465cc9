package io.numaspark.agent.writer;

import java.util.List;

/** Whether a knob that the table knows can be set on this machine, as it is now. */
sealed interface Probe {

  /** It can be read on every CPU, and nothing says that it could not be written. */
  record Supported() implements Probe {}

  /**
   * It can be read, not written.
   *
   * @param message why, and what to do about it
   */
  record VerifyOnly(String message) implements Probe {}

  /**
   * It cannot be read everywhere; nothing is written then.
   *
   * @param message why, and what to do about it
   * @param nowhere whether it can be read nowhere, so that the machine does not have it at all
   */
  record Unreadable(String message, boolean nowhere) implements Probe {}

  /** Judges a target by what could be read of it. */
  static Probe of(Target target, Reading reading, Machine machine) {
    List<Cell> unreadable = reading.unreadable(target);
    if (!unreadable.isEmpty()) {
      Cell first = unreadable.get(0);
      return new Unreadable(
          Trouble.explain(first, reading.errors().get(first)),
          unreadable.size() == target.cells().size());
    }
    String block = target.bits().location().isMsr() ? machine.msrWriteBlock() : null;
    return block == null ? new Supported() : new VerifyOnly(block);
  }
}
