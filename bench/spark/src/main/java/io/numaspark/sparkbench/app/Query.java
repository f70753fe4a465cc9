package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** One thing to measure; everything between call and return is timed. */
@FunctionalInterface
interface Query {

  /**
   * @param arguments what the harness gives beside the name, such as {@code data} (folder of the
   *     input) and {@code output} (folder that must not exist yet)
   * @return rows that two runs of the same query have in common, for the comparison of variants
   */
  List<Row> run(SparkSession spark, Map<String, String> arguments) throws Exception;
}
