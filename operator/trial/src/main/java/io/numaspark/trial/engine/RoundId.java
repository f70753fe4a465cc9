package io.numaspark.trial.engine;

/**
 * A round of a trial.
 *
 * @param number from 0 on in each phase
 */
public record RoundId(Phase phase, int number) {
  RoundId next() {
    return new RoundId(phase, number + 1);
  }
}
