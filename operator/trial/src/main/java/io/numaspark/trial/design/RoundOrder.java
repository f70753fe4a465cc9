package io.numaspark.trial.design;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of the arms in a round: a random permutation for each round (randomized complete
 * blocks), so that no arm profits from its place or from what runs before it.
 */
public final class RoundOrder {
  private RoundOrder() {}

  /**
   * The same arguments give the same order on every machine, because Java's specification has the
   * algorithm of {@link Random}.
   *
   * @param round from 0; below, for rounds that do not count, the order is that of the arms
   */
  public static <T> List<T> of(long seed, int round, List<T> arms) {
    Random random = new Random(seed);
    List<T> order = new ArrayList<>(arms);
    // One generator for all rounds: those of neighbouring seeds give similar numbers at first.
    for (int i = 0; i <= round; i++) {
      order = new ArrayList<>(arms);
      Collections.shuffle(order, random);
    }
    return List.copyOf(order);
  }
}
