package io.numaspark.sparkbench.app;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** Counts the words of text files: much allocation, little shuffle. */
final class WordCount implements Query {

  /** How many words there are, and how many different ones. */
  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    List<Long> counts =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .textFile(arguments.get("data"))
            .flatMap(line -> List.of(line.split(" ")).iterator())
            .mapToPair(word -> new Tuple2<>(word, 1L))
            .reduceByKey(Long::sum)
            .values()
            .mapPartitions(WordCount::totals)
            .collect();
    long words = 0;
    long different = 0;
    for (int i = 0; i < counts.size(); i += 2) {
      words += counts.get(i);
      different += counts.get(i + 1);
    }
    return List.of(RowFactory.create(words, different));
  }

  private static Iterator<Long> totals(Iterator<Long> counts) {
    long words = 0;
    long different = 0;
    while (counts.hasNext()) {
      words += counts.next();
      different++;
    }
    return List.of(words, different).iterator();
  }
}
