package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes {@code uservisits} and {@code rankings} as text with commas, like HiBench's tables of the
 * same names.
 *
 * @param visits rows of uservisits; rankings has a tenth as many
 * @param files of uservisits; rankings has a quarter as many
 */
record VisitTables(long visits, int files) implements Query {

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    long pages = Math.max(1, visits / 10);
    spark
        .range(0, visits, 1, files)
        .selectExpr(
            "concat(pmod(xxhash64(id, 1), 256), '.', pmod(xxhash64(id, 2), 256), '.', pmod(xxhash64(id, 3), 4), '.1') AS sourceIP",
            "concat('http://example.test/', pmod(xxhash64(id, 4), " + pages + "L)) AS destURL",
            "date_add(DATE'1995-01-01', cast(pmod(xxhash64(id, 5), 3650) AS int)) AS visitDate",
            "cast(pmod(xxhash64(id, 6), 100000) / 100 AS decimal(8, 2)) AS adRevenue",
            "repeat(hex(xxhash64(id, 7)), 4) AS userAgent",
            "hex(xxhash64(id, 8)) AS searchWord",
            "cast(pmod(xxhash64(id, 9), 1000) AS int) AS duration")
        .write()
        .csv(arguments.get("output") + "/uservisits");
    spark
        .range(0, pages, 1, Math.max(1, files / 4))
        .selectExpr(
            "concat('http://example.test/', id) AS pageURL",
            "cast(pmod(xxhash64(id, 10), 10000) AS int) AS pageRank",
            "cast(pmod(xxhash64(id, 11), 100) AS int) AS avgDuration")
        .write()
        .csv(arguments.get("output") + "/rankings");
    return List.of();
  }
}
