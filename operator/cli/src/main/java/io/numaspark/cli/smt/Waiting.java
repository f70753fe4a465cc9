package io.numaspark.cli.smt;

import io.numaspark.cli.text.InputException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Waits for a state of the cluster. A switch takes minutes, in which an API server may fail now and
 * then.
 *
 * <p>Limit: errors that last longer than a minute are the caller's.
 */
record Waiting(Pace pace) {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
  private static final Duration TOLERATED = Duration.ofMinutes(1);

  /**
   * What a look has found.
   *
   * @param look empty if it is to be repeated
   * @param otherwise what to throw when the time is over
   */
  <T> T until(Duration atMost, Supplier<Optional<T>> look, Supplier<NotSwitched> otherwise) {
    Instant end = pace.now().plus(atMost);
    Optional<Instant> failing = Optional.empty();
    while (true) {
      try {
        Optional<T> found = look.get();
        if (found.isPresent()) {
          return found.get();
        }
        failing = Optional.empty();
      } catch (InputException e) {
        failing = failing.or(() -> Optional.of(pace.now()));
        if (pace.now().isAfter(failing.get().plus(TOLERATED)) || !pace.now().isBefore(end)) {
          throw e;
        }
      }
      if (!pace.now().isBefore(end)) {
        throw otherwise.get();
      }
      pace.pause(BETWEEN_LOOKS);
    }
  }
}
