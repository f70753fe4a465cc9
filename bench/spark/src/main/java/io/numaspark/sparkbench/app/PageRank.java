package io.numaspark.sparkbench.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Ranks of pages by the links to them, as Spark's own example and HiBench compute them: every
 * iteration is a join and a shuffle. Links are kept on disk between iterations, because the memory
 * of the seed's nodes did not hold them either.
 *
 * @param iterations how often ranks flow along the links
 */
record PageRank(int iterations) implements Query {

  private static final double DAMPING = 0.85;

  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    JavaPairRDD<Long, Iterable<Long>> links =
        context
            .textFile(arguments.get("data"))
            .mapToPair(PageRank::edge)
            .distinct()
            .groupByKey()
            .persist(StorageLevel.DISK_ONLY());
    JavaPairRDD<Long, Double> ranks = links.mapValues(targets -> 1.0);
    for (int i = 0; i < iterations; i++) {
      ranks =
          links
              .join(ranks)
              .values()
              .flatMapToPair(pair -> shares(pair._1(), pair._2()).iterator())
              .reduceByKey(Double::sum)
              .mapValues(sum -> 1 - DAMPING + DAMPING * sum);
    }
    ranks.map(pair -> pair._1() + "\t" + pair._2()).saveAsTextFile(arguments.get("output"));
    links.unpersist(true);
    return List.of();
  }

  /**
   * Count and sum of the ranks. Sums of doubles depend on their order: compare with a tolerance.
   */
  static List<Row> verify(SparkSession spark, String output) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    JavaPairRDD<Long, Double> ranks =
        context
            .textFile(output)
            .mapToPair(
                line -> {
                  int tab = line.indexOf('\t');
                  return new Tuple2<>(
                      Long.valueOf(line.substring(0, tab)),
                      Double.valueOf(line.substring(tab + 1)));
                });
    double weighted = ranks.mapToDouble(pair -> (pair._1() % 1009) * pair._2()).sum();
    return List.of(
        RowFactory.create(ranks.count(), ranks.values().mapToDouble(rank -> rank).sum(), weighted));
  }

  private static Tuple2<Long, Long> edge(String line) {
    int tab = line.indexOf('\t');
    return new Tuple2<>(
        Long.valueOf(line.substring(0, tab)), Long.valueOf(line.substring(tab + 1)));
  }

  private static List<Tuple2<Long, Double>> shares(Iterable<Long> targets, double rank) {
    List<Long> to = new ArrayList<>();
    targets.forEach(to::add);
    return to.stream().map(target -> new Tuple2<>(target, rank / to.size())).toList();
  }
}
