package io.numaspark.sparkbench;

import java.util.Arrays;
import java.util.Collection;

/**
 * Robust summary of a few numbers.
 *
 * @param mad median of the absolute distances from the median; half of the numbers are nearer
 */
record Sample(int count, double median, double mad, double min, double max) {

  /**
   * @throws IllegalArgumentException when there is no number
   */
  static Sample of(Collection<Double> numbers) {
    double[] sorted = numbers.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("no numbers to summarize");
    }
    double median = median(sorted);
    double[] distances =
        Arrays.stream(sorted).map(number -> Math.abs(number - median)).sorted().toArray();
    return new Sample(
        sorted.length, median, median(distances), sorted[0], sorted[sorted.length - 1]);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
