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
 * Writes records of 100 bytes with random keys of 10 bytes, as TeraGen does; one file for each 16
 * MiB, so that a file is a task.
 *
 * @param bytes in all, rounded down to whole files
 */
record TerasortRecords(long bytes) implements Query {

  private static final int RECORDS_A_FILE = (4 << 20) / TerasortRecord.LENGTH;

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    int files = (int) Math.max(1, bytes >> 22);
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    RecordFiles.write(
        context
            .parallelize(IntStream.range(0, files).boxed().toList(), files)
            .flatMap(file -> records(file).iterator()),
        arguments.get("output"));
    return List.of();
  }

  private static Stream<TerasortRecord> records(int file) {
    SplittableRandom random = new SplittableRandom(file);
    return IntStream.range(0, RECORDS_A_FILE)
        .mapToObj(
            i -> {
              byte[] bytes = new byte[TerasortRecord.LENGTH];
              random.nextBytes(bytes);
              return new TerasortRecord(bytes);
            });
  }
}
