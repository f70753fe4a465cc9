package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The two SQL workloads of HiBench that Omranian Khorasani et al. 2019 measure; both write their
 * result as text.
 */
enum VisitQueries implements Query {
  AGGREGATION("SELECT sourceIP, sum(adRevenue) AS revenue FROM uservisits GROUP BY sourceIP"),
  JOIN(
      """
      SELECT sourceIP, cast(avg(pageRank) AS decimal(12, 4)) AS pageRank, sum(adRevenue) AS totalRevenue
      FROM rankings
      JOIN uservisits ON destURL = pageURL
      WHERE visitDate >= DATE'1999-01-01' AND visitDate < DATE'2000-01-01'
      GROUP BY sourceIP
      """);

  private static final String VISITS =
      "sourceIP string, destURL string, visitDate date, adRevenue decimal(8, 2), userAgent string, searchWord string, duration int";
  private static final String RANKINGS = "pageURL string, pageRank int, avgDuration int";

  private final String text;

  VisitQueries(String text) {
    this.text = text;
  }

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    spark
        .read()
        .schema(VISITS)
        .csv(arguments.get("data") + "/uservisits")
        .createOrReplaceTempView("uservisits");
    spark
        .read()
        .schema(RANKINGS)
        .csv(arguments.get("data") + "/rankings")
        .createOrReplaceTempView("rankings");
    spark.sql(text).write().csv(arguments.get("output"));
    return List.of();
  }

  static List<Row> verify(SparkSession spark, String output) {
    return spark.read().csv(output).selectExpr("count(*)", "bit_xor(xxhash64(*))").collectAsList();
  }
}
