package io.numaspark.sparkbench.app;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * One of the 22 queries of TPC-H with the substitution parameters of the specification's query
 * validation.
 *
 * @param number {@code q01} to {@code q22}
 */
record TpchQuery(String number) implements Query {

  static final List<String> TABLES =
      List.of("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier");

  /** Query 11 has a parameter that depends on the scale factor. */
  static String text(String number, double scale) {
    String resource = "/tpch/" + number + ".sql";
    try (InputStream in = TpchQuery.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no query of TPC-H is called " + number + ": q01 to q22 are");
      }
      String fraction =
          new BigDecimal("0.0001")
              .divide(BigDecimal.valueOf(scale), 10, RoundingMode.HALF_UP)
              .stripTrailingZeros()
              .toPlainString();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("${fraction}", fraction);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + resource, e);
    }
  }

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    return spark.sql(text(number, Double.parseDouble(arguments.get("scale")))).collectAsList();
  }

  /** Makes the tables known; not part of what is measured. */
  static void register(SparkSession spark, String data) {
    for (String table : TABLES) {
      if (!spark.catalog().tableExists(table)) {
        spark.read().parquet(data + "/" + table).createOrReplaceTempView(table);
      }
    }
  }
}
