package io.numaspark.controller.slots;

import java.util.Optional;

/**
 * The slots that the pinner of a node has for executors that are not bound yet.
 *
 * @param free those that it reports as free, less those of executors that are bound and have not
 *     got theirs
 * @param trouble why it has none, as the reason of a condition; empty while it works
 */
public record PinnerSlots(int free, Optional<String> trouble) {
  /** A node writes the reason, and applications' statuses show it. */
  private static final String REASON = "[A-Za-z]{1,64}";

  /** A pinner that works. */
  static PinnerSlots working(int free) {
    return new PinnerSlots(Math.max(0, free), Optional.empty());
  }

  /** A pinner that does not. */
  public static PinnerSlots notWorking(String reason) {
    return new PinnerSlots(0, Optional.of(reason.matches(REASON) ? reason : "Unknown"));
  }
}
