package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes lines of ten words; a few words are most of the text.
 *
 * @param lines in all, rounded down to equal files
 * @param files that they are cut into
 */
record WordLines(long lines, int files) implements Query {
  private static final int WORDS = 10;
  private static final int DIFFERENT_WORDS = 1_000_000;

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    int linesOfOne = (int) (lines / files);
    JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(IntStream.range(0, files).boxed().toList(), files)
        .flatMap(file -> lines(file, linesOfOne).iterator())
        .saveAsTextFile(arguments.get("output"));
    return List.of();
  }

  private static Stream<String> lines(int file, int count) {
    SplittableRandom random = new SplittableRandom(file);
    return IntStream.range(0, count).mapToObj(i -> line(random));
  }

  private static String line(SplittableRandom random) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      // The cube of a number equally distributed in 0..1: the first thousandth is a tenth of the
      // text.
      line.append(i == 0 ? "word" : " word")
          .append((int) (Math.pow(random.nextDouble(), 3) * DIFFERENT_WORDS));
    }
    return line.toString();
  }
}
