package io.numaspark.sparkbench.app;

import static org.apache.spark.sql.functions.broadcast;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A join with a table that every executor gets whole: what is paid once an executor, beside its
 * JVM.
 *
 * @param mebibytes about the size of the table as Spark's hashed relation
 */
record BroadcastJoin(int mebibytes) implements Query {
  /** Header, key, offset and text of an UnsafeRow, and its place in LongToUnsafeRowMap. */
  private static final int ROW_BYTES = 24 + 96 + 32;

  private static final long PROBES = 20_000_000;

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    long rows = ((long) mebibytes << 20) / ROW_BYTES;
    Dataset<Row> table =
        spark
            .range(rows)
            .selectExpr("id AS key", "concat(repeat('x', 88), cast(id % 10 AS string)) AS text");
    return spark
        .range(PROBES)
        .selectExpr("id % " + rows + "L AS key")
        .join(broadcast(table), "key")
        .selectExpr("count(*)", "sum(length(text))", "sum(crc32(text))")
        .collectAsList();
  }
}
