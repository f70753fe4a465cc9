package io.numaspark.sparkbench.app;

import io.numaspark.sparkbench.Folders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;

/**
 * Queries as an application of their own, for {@code numaspark trial}: makes its input if it is not
 * there, runs each query once, prints what two runs have in common, and ends.
 *
 * <p>Usage: {@code Workload tpch/q01,tpch/q09 DIR SIZE}, where {@code tpch} is all 22 queries, DIR
 * a folder for the input, and SIZE about the size of the input in GB.
 */
public final class Workload {
  private static final int FILES = 16;

  private final SparkSession spark;
  private final Path folder;
  private final double size;

  private Workload(SparkSession spark, Path folder, double size) {
    this.spark = spark;
    this.folder = folder;
    this.size = size;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 3) {
      System.err.println(
          "usage: Workload QUERY[,QUERY...] DIR SIZE, such as: tpch/q01,tpch/q09 /tmp/tpch 0.1");
      System.exit(2);
    }
    List<String> queries = queries(arguments[0]);
    double size = Double.parseDouble(arguments[2]);
    SparkSession spark = SparkSession.builder().getOrCreate();
    Workload workload = new Workload(spark, Path.of(arguments[1]), size);
    CRC32 results = new CRC32();
    for (String query : queries) {
      workload.run(query).stream()
          .map(Workload::comparable)
          .sorted()
          .forEach(row -> results.update(row.getBytes(StandardCharsets.UTF_8)));
    }
    System.out.println("trial-result: " + Long.toHexString(results.getValue()));
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

  /**
   * Sums of doubles depend on the order of their parts, so only their first digits are compared.
   */
  private static String comparable(Row row) {
    Object[] values = new Object[row.length()];
    for (int i = 0; i < values.length; i++) {
      Object value = row.get(i);
      values[i] = value instanceof Double ? String.format(Locale.ROOT, "%.5e", value) : value;
    }
    return CanonicalRows.line(RowFactory.create(values));
  }

  private List<Row> run(String query) throws Exception {
    String family = query.replaceAll("/.*", "");
    // A broadcast join makes its tables as it reads them.
    Path data = family.equals("broadcast") ? folder : made(family);
    if (family.equals("tpch")) {
      TpchQuery.register(spark, data.toString());
    }
    Path output = Files.createTempDirectory(Files.createDirectories(folder), "output-");
    try {
      String written = output.resolve("files").toString();
      List<Row> rows =
          Queries.named(query)
              .run(
                  spark,
                  Map.of(
                      "data", data.toString(), "output", written, "scale", Double.toString(size)));
      return switch (family) {
        case "terasort" -> Terasort.verify(spark, written);
        case "pagerank" -> PageRank.verify(spark, written);
        default -> rows;
      };
    } finally {
      Folders.delete(output);
    }
  }

  /** The query that makes the input; about {@code size} GB of it. */
  private Query maker(String family) {
    return switch (family) {
      case "tpch" -> new TpchTables(size);
      case "terasort" -> new TerasortRecords((long) (size * 1e9), FILES);
      case "pagerank" -> new PageRankEdges((long) (size * 8e6), FILES);
      case "kmeans" -> new Points((long) (size * 1e9 / Points.BYTES), FILES);
      case "wordcount" -> new WordLines((long) (size * 1e7), FILES);
      default ->
          throw new IllegalArgumentException(
              "no workload is called "
                  + family
                  + ": tpch, terasort, pagerank, kmeans, wordcount, broadcast/MEBIBYTES");
    };
  }

  /** Under another name until it is complete: a run that was killed leaves no half of an input. */
  private Path made(String family) throws Exception {
    Path data = folder.resolve(family + "-" + size);
    if (Files.exists(data)) {
      return data;
    }
    Files.createDirectories(folder);
    Path unfinished = Files.createTempDirectory(folder, "unfinished-");
    try {
      maker(family).run(spark, Map.of("output", unfinished.resolve("tables").toString()));
      Files.move(unfinished.resolve("tables"), data, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Folders.delete(unfinished);
    }
    return data;
  }
}
