package numaspark.facts;

import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the page "NUMA" to the Spark UI where it can be: a page is a private class of Spark whose
 * servlet API (jakarta) and collections (Scala 2.13) Spark 3.5 does not have, so there is none in
 * it. Without the page, or without the UI, the gauges remain.
 */
final class UserInterface {
  private static final Logger LOG = LoggerFactory.getLogger(UserInterface.class);

  private UserInterface() {}

  static void attach(SparkContext spark, FactsBoard board) {
    if (spark.version().startsWith("3.") || spark.ui().isEmpty()) {
      return;
    }
    try {
      NumaTab.attach(spark.ui().get(), board);
    } catch (LinkageError | RuntimeException e) {
      LOG.info("This Spark UI has no place for the page NUMA: {}", e.toString());
    }
  }
}
