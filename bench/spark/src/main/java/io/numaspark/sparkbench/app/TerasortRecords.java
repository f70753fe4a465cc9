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
 * Writes records of 100 bytes with random keys of 10 bytes, as TeraGen does.
 *
 * @param bytes in all, rounded down to equal files of whole records
 * @param files that they are cut into
 */
record TerasortRecords(long bytes, int files) implements Query {

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    int recordsOfOne = (int) (bytes / files / TerasortRecord.LENGTH);
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    RecordFiles.write(
        context
            .parallelize(IntStream.range(0, files).boxed().toList(), files)
            .flatMap(file -> records(file, recordsOfOne).iterator()),
        arguments.get("output"));
    return List.of();
  }

  private static Stream<TerasortRecord> records(int file, int count) {
    SplittableRandom random = new SplittableRandom(file);
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              byte[] bytes = new byte[TerasortRecord.LENGTH];
              random.nextBytes(bytes);
              return new TerasortRecord(bytes);
            });
  }
}
