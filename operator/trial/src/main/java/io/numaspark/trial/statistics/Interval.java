package io.numaspark.trial.statistics;

/**
 * An interval of shares: 1 is the baseline's time, 0.9 is a tenth less.
 *
 * <p>Limit: it does not know its confidence.
 *
 * @param low at most {@code high}
 */
public record Interval(double low, double high) {

  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("an interval from " + low + " to " + high);
    }
  }

  public boolean contains(double share) {
    return low <= share && share <= high;
  }

  /**
   * Whether it lies within the equivalence margin: {@code 1/(1 + margin)} to {@code 1 + margin}.
   */
  public boolean isWithin(double margin) {
    return low >= 1 / (1 + margin) && high <= 1 + margin;
  }
}
