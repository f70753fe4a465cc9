package org.apache.spark.examples;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Estimates Pi under the name that manifests everywhere give as their example. Spark's own examples are not part of its Python
 * distribution, which this image is made from.
 *
 * <p>Argument: {@code [slices]}, 2 if it is missing.
 */
public final class SparkPi {
  private static final int POINTS_PER_SLICE = 100_000;

  private SparkPi() {}

  public static void main(String[] args) throws Exception {
    int slices = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    try (SparkSession session = SparkSession.builder().appName("Spark Pi").getOrCreate()) {
      List<Integer> seeds = IntStream.range(0, slices).boxed().collect(Collectors.toList());
      long inside =
          new JavaSparkContext(session.sparkContext()).parallelize(seeds, slices).map(SparkPi::pointsInside).reduce(Long::sum);
      System.out.println("Pi is roughly " + 4.0 * inside / ((double) slices * POINTS_PER_SLICE));
    }
  }

  /** How many random points of the unit square lie inside the quarter circle. */
  private static long pointsInside(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, POINTS_PER_SLICE)
        .filter(i -> Math.hypot(random.nextDouble(), random.nextDouble()) <= 1)
        .count();
  }
}
