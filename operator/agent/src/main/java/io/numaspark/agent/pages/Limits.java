package io.numaspark.agent.pages;

import java.time.Duration;

/**
 * How much of the node the sweep takes, whatever it finds.
 *
 * @param entries most entries of one namespace in one round
 * @param time longest time of one round, for all namespaces in equal parts
 * @param period from the end of one sweep of a namespace to the start of the next
 * @param patience longest time that a lock may take to be opened: whoever holds a lease of the file
 *     keeps others waiting
 * @param rest how long a namespace is left alone after that
 */
record Limits(int entries, Duration time, Duration period, Duration patience, Duration rest) {
  /** Memory of dead executors is missed by those that start. */
  static final Limits USUAL =
      new Limits(
          20_000,
          Duration.ofMillis(500),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ofMinutes(10));

  /** The pause after a round that was not enough is so many times as long as the round. */
  private static final int PAUSES = 4;

  /** The pause after a round, so that the sweep never takes more than a fifth of one CPU. */
  Duration pauseAfter(Duration round) {
    Duration pause = round.multipliedBy(PAUSES);
    return pause.compareTo(period) < 0 ? pause : period;
  }
}
