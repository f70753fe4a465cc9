package io.numaspark.controller.slots;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The free slots of a node are kept back, since its kubelet rejected an executor that the count had
 * allowed: something takes room there that is not seen.
 *
 * @param reason the kubelet's reason for the newest rejection
 * @param rejections rejections since the node was last quiet
 * @param since when this withholding began
 * @param last the newest rejection
 * @param until when the slots are free again, unless there are further rejections
 */
public record Withheld(String reason, int rejections, Instant since, Instant last, Instant until) {
  /** The first withholding of a series. */
  public static final Duration SHORTEST = Duration.ofSeconds(30);

  /** Each further one is twice as long as the one before, up to this. */
  public static final Duration LONGEST = Duration.ofMinutes(10);

  /** After so long without a rejection the next one is the first of a series again. */
  public static final Duration QUIET = Duration.ofMinutes(10);

  /**
   * The state after one more rejection.
   *
   * <p>Executors that were on their way when the slots were withheld belong to the rejection that
   * withheld them: they are counted, and do not make the wait longer.
   */
  public static Withheld after(Optional<Withheld> before, String reason, Instant at) {
    if (before.isEmpty() || before.get().isForgotten(at)) {
      return new Withheld(reason, 1, at, at, at.plus(SHORTEST));
    }
    Withheld known = before.get();
    int rejections = known.rejections + 1;
    if (at.isBefore(known.until)) {
      Instant last = at.isAfter(known.last) ? at : known.last;
      return new Withheld(reason, rejections, known.since, last, known.until);
    }
    Duration twice = Duration.between(known.since, known.until).multipliedBy(2);
    Duration wait = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    return new Withheld(reason, rejections, at, at, at.plus(wait));
  }

  /** Whether it is one that {@link #after} can come to. */
  public boolean isWithinBounds() {
    return rejections > 0
        && !until.isBefore(since.plus(SHORTEST))
        && !until.isAfter(since.plus(LONGEST))
        && !last.isBefore(since)
        && !last.isAfter(until);
  }

  /** Whether the slots are withheld at this time. */
  public boolean isActive(Instant now) {
    return now.isBefore(until);
  }

  /** Whether the node was quiet for so long that the past does not count any more. */
  public boolean isForgotten(Instant now) {
    return !now.isBefore(until.plus(QUIET));
  }
}
