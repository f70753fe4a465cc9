package io.numaspark.sparkbench.app;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes points of {@value #DIMENSIONS} coordinates around a few centers.
 *
 * @param points in all, rounded down to equal files
 * @param files that they are cut into
 */
record Points(long points, int files) implements Query {
  static final int DIMENSIONS = 20;
  static final int BYTES = DIMENSIONS * Double.BYTES;
  private static final int CENTERS = 8;

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    int pointsOfOne = (int) (points / files);
    RecordFiles.writeBytes(
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(IntStream.range(0, files).boxed().toList(), files)
            .flatMap(file -> points(file, pointsOfOne).iterator()),
        arguments.get("output"));
    return List.of();
  }

  static double[] of(byte[] bytes) {
    double[] point = new double[DIMENSIONS];
    ByteBuffer.wrap(bytes).asDoubleBuffer().get(point);
    return point;
  }

  private static Stream<byte[]> points(int file, int count) {
    SplittableRandom random = new SplittableRandom(file);
    return IntStream.range(0, count).mapToObj(i -> bytes(random));
  }

  private static byte[] bytes(SplittableRandom random) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    int center = random.nextInt(CENTERS);
    for (int i = 0; i < DIMENSIONS; i++) {
      bytes.putDouble((center + i) % CENTERS + random.nextDouble());
    }
    return bytes.array();
  }
}
