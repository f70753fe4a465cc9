package io.numaspark.render.pins;

import java.util.Arrays;
import java.util.Optional;

/** What became of an executor, as the pinner of its node says. */
public enum PinOutcome {
  PINNED("Pinned"),
  /** It ran on the shared CPUs before. */
  PINNED_LATE("PinnedLate"),
  /** It keeps CPUs that an earlier layout gave to it. */
  EARLIER_LAYOUT("EarlierLayout"),
  NO_FREE_SLOT("NoFreeSlot"),
  STARTED_WITHOUT_PINNER("StartedWithoutPinner"),
  /** Another program has set its CPUs. */
  ALREADY_SET("AlreadySet"),
  NOT_PINNING("NotPinning");

  private final String text;

  PinOutcome(String text) {
    this.text = text;
  }

  /** The outcome of that name; empty if this release knows none. */
  public static Optional<PinOutcome> of(String text) {
    return Arrays.stream(values()).filter(outcome -> outcome.text.equals(text)).findFirst();
  }

  /** Whether the executor has CPUs that it keeps, and gets no others. */
  boolean isFinal() {
    return this == PINNED || this == PINNED_LATE || this == EARLIER_LAYOUT || this == ALREADY_SET;
  }
}
