package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;
import scala.Tuple5;

/**
 * Sorts files of 100-byte records into files of 100-byte records, in the three stages that it has
 * in HiBench: sample the keys, read and shuffle, sort and write.
 */
final class Terasort implements Query {

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    RecordFiles.write(
        context
            .binaryRecords(arguments.get("data"), TerasortRecord.LENGTH)
            .mapToPair(bytes -> new Tuple2<>(new TerasortRecord(bytes).key(), bytes))
            .sortByKey(new TerasortRecord.ByKey(), true)
            .map(pair -> new TerasortRecord(pair._2())),
        arguments.get("output"));
    return List.of();
  }

  /**
   * Sums over the output, and whether it is in order: what two correct runs have in common. Not
   * part of what is measured.
   */
  static List<Row> verify(SparkSession spark, String output) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    List<Tuple5<Long, Long, Boolean, byte[], byte[]>> parts =
        context
            .binaryRecords(output, TerasortRecord.LENGTH)
            .mapPartitions(records -> List.of(SortedPart.of(records).tuple()).iterator())
            .collect();
    SortedPart all = parts.stream().map(SortedPart::of).reduce(SortedPart.EMPTY, SortedPart::then);
    return List.of(RowFactory.create(all.count(), all.sum(), all.sorted()));
  }
}
