package io.numaspark.sparkbench.app;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Writes a graph as text, one edge {@code from<TAB>to} a line, with 8 edges a page on average; a
 * few pages get most of the links.
 *
 * @param pages of the graph
 * @param files that the edges are cut into
 */
record PageRankEdges(long pages, int files) implements Query {

  private static final int EDGES_A_PAGE = 8;

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    // The cube of a number equally distributed in 0..1: the first thousandth of the pages gets a
    // tenth of the links.
    String target =
        "cast(pow(pmod(xxhash64(id, 1), 1000003) / 1000003, 3) * %d as bigint)".formatted(pages);
    spark
        .range(0, pages * EDGES_A_PAGE, 1, files)
        .selectExpr("concat(pmod(xxhash64(id, 2), " + pages + "L), '\t', " + target + ")")
        .write()
        .text(arguments.get("output"));
    return List.of();
  }
}
