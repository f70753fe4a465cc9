package io.numaspark.sparkbench.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;

/**
 * Queries as an application of their own, for {@code numaspark trial}: makes its input if it is not
 * there, runs each query once, and ends.
 *
 * <p>Usage: {@code Workload tpch/q01,tpch/q09 DIR SCALE}, where {@code tpch} is all 22 queries and
 * DIR a folder for the input.
 */
public final class Workload {
  private Workload() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 3) {
      System.err.println("usage: Workload QUERY[,QUERY...] DIR SCALE, such as: tpch/q01,tpch/q09 /tmp/tpch 0.1");
      System.exit(2);
    }
    double scale = Double.parseDouble(arguments[2]);
    Path data = Path.of(arguments[1]).resolve("tpch-" + scale);
    SparkSession spark = SparkSession.builder().getOrCreate();
    make(spark, data, scale);
    TpchQuery.register(spark, data.toString());
    for (String query : queries(arguments[0])) {
      Queries.named(query).run(spark, new HashMap<>(Map.of("scale", Double.toString(scale))));
    }
    spark.stop();
  }

  private static List<String> queries(String names) {
    List<String> queries = new ArrayList<>();
    for (String name : names.split(",")) {
      if (name.equals("tpch")) {
        IntStream.rangeClosed(1, 22)
            .forEach(i -> queries.add(String.format(Locale.ROOT, "tpch/q%02d", i)));
      } else {
        queries.add(name);
      }
    }
    return queries;
  }

  /** Under another name until it is complete: a run that was killed leaves no half of an input. */
  private static void make(SparkSession spark, Path data, double scale) throws Exception {
    if (Files.exists(data)) {
      return;
    }
    Files.createDirectories(data.getParent());
    Path unfinished = Files.createTempDirectory(data.getParent(), "unfinished-");
    new TpchTables(scale).run(spark, Map.of("output", unfinished.resolve("tables").toString()));
    Files.move(unfinished.resolve("tables"), data, StandardCopyOption.ATOMIC_MOVE);
    Files.delete(unfinished);
  }
}
