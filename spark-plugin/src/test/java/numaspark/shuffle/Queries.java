package numaspark.shuffle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Queries whose shuffles differ in the rows, the partitions, and how they are read; each with rows
 * that can be compared.
 */
final class Queries {
  private Queries() {}

  static Map<String, Function<SparkSession, Dataset<Row>>> all() {
    Map<String, Function<SparkSession, Dataset<Row>>> queries = new LinkedHashMap<>();
    queries.put(
        "one reducer",
        spark -> spark.range(0, 200_000, 1, 5).repartition(1).selectExpr("sum(id)", "count(*)"));
    queries.put(
        "strings, decimals, nulls, arrays, structs",
        spark ->
            wide(spark)
                .repartition(7, functions.col("b"))
                .groupBy("b")
                .agg(
                    functions.max("c"),
                    functions.sum("d"),
                    functions.count("n"),
                    functions.max("e.y"),
                    functions.sum(functions.size(functions.col("f")))));
    queries.put("every row again", spark -> wide(spark).repartition(9));
    queries.put(
        "join",
        spark ->
            spark
                .range(0, 60_000, 1, 6)
                .selectExpr("id k", "id * 3 v", "cast(id as string) c")
                .join(spark.range(0, 60_000, 2, 4).selectExpr("id k", "id * 5 w"), "k")
                .groupBy("k")
                .agg(functions.expr("max(c)"), functions.expr("sum(v + w)")));
    queries.put(
        "skewed join",
        spark ->
            spark
                .range(0, 80_000, 1, 6)
                .selectExpr("if(id % 10 < 8, 1, id) k", "repeat(cast(id as string), 20) v")
                .join(spark.range(0, 5_000).selectExpr("id k", "id * 5 w"), "k")
                .selectExpr("sum(w)", "count(*)", "max(v)"));
    queries.put(
        "sorted",
        spark -> wide(spark).orderBy(functions.col("c").desc(), functions.col("id")).limit(500));
    queries.put(
        "no columns",
        spark -> spark.range(0, 10_000, 1, 4).select().repartition(3).selectExpr("count(*)"));
    queries.put(
        "no rows", spark -> wide(spark).where("id < 0").repartition(4).groupBy("b").count());
    queries.put(
        "large rows",
        spark ->
            spark
                .range(0, 40, 1, 4)
                .selectExpr("id", "repeat(cast(id as string), 400000) s")
                .repartition(3)
                .selectExpr("id", "length(s)", "sha2(s, 256)"));
    queries.put("distinct", spark -> wide(spark).select("b", "n").distinct());
    queries.put(
        "window",
        spark ->
            wide(spark)
                .selectExpr("id", "sum(d) over (partition by b order by id rows 3 preceding) s"));
    queries.put(
        "many partitions",
        spark -> wide(spark).repartition(300, functions.col("id")).groupBy("b").count());
    return queries;
  }

  private static Dataset<Row> wide(SparkSession spark) {
    return spark
        .range(0, 30_000, 1, 6)
        .selectExpr(
            "id",
            "id % 97 b",
            "cast(id * 7919 as string) c",
            "cast(id as decimal(30, 3)) / 7 d",
            "if(id % 3 = 0, null, id) n",
            "named_struct('x', id, 'y', concat('y', id)) e",
            "array_repeat(id, cast(id % 5 as int)) f");
  }

  /** The rows as text, in an order of their own. */
  static List<String> rows(Dataset<Row> query) {
    List<String> rows = new ArrayList<>();
    for (Row row : query.collectAsList()) {
      rows.add(row.toString());
    }
    rows.sort(null);
    return rows;
  }
}
