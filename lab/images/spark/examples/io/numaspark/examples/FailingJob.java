package io.numaspark.examples;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Runs a tiny job, then ends the driver with a chosen exit code.
 *
 * <p>Arguments: {@code EXIT-CODE [attempts that fail]}. With the second argument later attempts succeed; the attempt's number,
 * from 1, is read from the environment variable {@code ATTEMPT}, which the driver's manifest takes from its pod's label.
 */
public final class FailingJob {
  private FailingJob() {}

  public static void main(String[] args) throws Exception {
    int exitCode = Integer.parseInt(args[0]);
    int failing = args.length > 1 ? Integer.parseInt(args[1]) : Integer.MAX_VALUE;
    int attempt = Integer.parseInt(System.getenv().getOrDefault("ATTEMPT", "1"));
    boolean fails = attempt <= failing;
    try (SparkSession session = SparkSession.builder().appName("FailingJob").getOrCreate()) {
      int sum = new JavaSparkContext(session.sparkContext()).parallelize(List.of(1, 2, 3)).reduce(Integer::sum);
      System.out.printf("ATTEMPT %d sum=%d %s%n", attempt, sum, fails ? "fails with exit code " + exitCode : "succeeds");
    }
    if (fails) {
      System.exit(exitCode);
    }
  }
}
