package io.numaspark.sparkbench.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The main class of the measured application: runs the queries that arrive on standard input, one a
 * line, {@code name<TAB>key=value<TAB>...}, and answers each with a line that begins with
 * {@code @bench}. It ends when its input does.
 */
public final class Driver {

  private final SparkSession spark;
  private final StageTotals totals = new StageTotals();
  private final PrintStream out = System.out;
  private String last = "";
  private List<Row> lastRows = List.of();

  private Driver(SparkSession spark) {
    this.spark = spark;
    spark.sparkContext().addSparkListener(totals);
  }

  public static void main(String[] arguments) throws IOException {
    SparkSession spark = SparkSession.builder().getOrCreate();
    Driver driver = new Driver(spark);
    driver.answer(Map.of("ready", spark.version()));
    driver.obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
    spark.stop();
  }

  private void obey(BufferedReader in) throws IOException {
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] fields = line.split("\t");
      Map<String, String> arguments = new HashMap<>();
      for (int i = 1; i < fields.length; i++) {
        int equals = fields[i].indexOf('=');
        arguments.put(fields[i].substring(0, equals), fields[i].substring(equals + 1));
      }
      try {
        answer(
            switch (fields[0]) {
              case "rest" -> rest();
              case "rows" -> rows(arguments);
              default -> run(fields[0], arguments);
            });
      } catch (Exception e) {
        e.printStackTrace();
        answer(
            Map.of(
                "error",
                String.valueOf(e.getMessage()).lines().limit(1).collect(Collectors.joining())));
      }
    }
  }

  /**
   * Lets the context cleaner give back what the last query's shuffles hold, so that the next one
   * does not pay for it.
   */
  private static Map<String, String> rest() throws InterruptedException {
    System.gc();
    Thread.sleep(200);
    return Map.of("rested", "");
  }

  private Map<String, String> run(String name, Map<String, String> arguments) throws Exception {
    Query query = Queries.named(name);
    if (name.startsWith("tpch/")) {
      TpchQuery.register(spark, arguments.get("data"));
    }
    totals.reset();
    long start = System.nanoTime();
    List<Row> rows = query.run(spark, arguments);
    long nanos = System.nanoTime() - start;
    spark.sparkContext().listenerBus().waitUntilEmpty();
    Map<String, String> answer = new HashMap<>();
    totals.totals().forEach((key, value) -> answer.put(key, value.toString()));
    answer.put("nanos", Long.toString(nanos));
    last = name;
    lastRows = rows;
    return answer;
  }

  /**
   * Writes the rows of the last query, or what is to be said of the files that it wrote, for the
   * comparison with other variants.
   */
  private Map<String, String> rows(Map<String, String> arguments) throws IOException {
    String output = arguments.get("output");
    List<Row> rows =
        switch (last) {
          case "terasort" -> Terasort.verify(spark, output);
          case "pagerank" -> PageRank.verify(spark, output);
          case "aggregation", "join" -> VisitQueries.verify(spark, output);
          default -> lastRows;
        };
    CanonicalRows.write(rows, Path.of(arguments.get("file")));
    return Map.of("rows", Integer.toString(rows.size()));
  }

  private void answer(Map<String, String> fields) {
    out.println(
        "@bench\t"
            + fields.entrySet().stream()
                .map(f -> f.getKey() + "=" + f.getValue())
                .collect(Collectors.joining("\t")));
    out.flush();
  }
}
