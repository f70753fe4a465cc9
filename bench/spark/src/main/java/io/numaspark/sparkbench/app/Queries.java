package io.numaspark.sparkbench.app;

/** Finds a query by its name, as the harness sends it: {@code family/rest}. */
final class Queries {

  private Queries() {}

  static Query named(String name) {
    int slash = name.indexOf('/');
    String family = slash < 0 ? name : name.substring(0, slash);
    String rest = slash < 0 ? "" : name.substring(slash + 1);
    String[] numbers = rest.split("/");
    return switch (family) {
      case "tpch" -> new TpchQuery(rest);
      case "range" -> RangeSum.parse(rest);
      case "cpu" -> new CpuBound(Integer.parseInt(rest));
      case "broadcast" -> new BroadcastJoin(Integer.parseInt(rest));
      case "terasort" -> new Terasort();
      case "pagerank" -> new PageRank(3);
      case "kmeans" -> new KMeans(4);
      case "wordcount" -> new WordCount();
      case "aggregation" -> VisitQueries.AGGREGATION;
      case "join" -> VisitQueries.JOIN;
      case "make-tpch" -> new TpchTables(Double.parseDouble(rest));
      case "make-terasort" ->
          new TerasortRecords(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
      case "make-pagerank" ->
          new PageRankEdges(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
      case "make-kmeans" -> new Points(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
      case "make-wordcount" ->
          new WordLines(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
      case "make-visits" ->
          new VisitTables(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
      default -> throw new IllegalArgumentException("no query is called " + name);
    };
  }
}
