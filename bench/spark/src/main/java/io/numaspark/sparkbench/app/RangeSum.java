package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * {@code range(2^exponent).repartition(partitions).selectExpr("sum(id)")}: a shuffle and next to
 * nothing else.
 *
 * @param partitions of the repartition
 */
record RangeSum(int exponent, int partitions) implements Query {

  static RangeSum parse(String exponentAndPartitions) {
    String[] parts = exponentAndPartitions.split("/");
    return new RangeSum(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    return spark
        .range(1L << exponent)
        .repartition(partitions)
        .selectExpr("sum(id)")
        .collectAsList();
  }
}
