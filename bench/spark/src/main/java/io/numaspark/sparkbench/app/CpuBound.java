package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Tasks that compute and read nothing: hashes of hashes of {@code tasks * 2^20} numbers, one task
 * each million.
 *
 * @param tasks how many
 */
record CpuBound(int tasks) implements Query {

  private static final int HASHES = 24;

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    String hash = "id";
    for (int i = 0; i < HASHES; i++) {
      hash = "xxhash64(" + hash + ", id + " + i + ")";
    }
    return spark
        .range(0, (long) tasks << 20, 1, tasks)
        .selectExpr("bit_xor(" + hash + ")")
        .collectAsList();
  }
}
