package io.numaspark.render.executors;

import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.ExecutorRequest;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.SparkRelease;
import io.numaspark.render.conf.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * How often and how fast Spark asks again for a pinned executor that the kubelet rejected.
 *
 * <p>A rejected pod is a failed executor to Spark: it asks for another one in its next round, once
 * a second, and the scheduler may choose the same node again. Left alone an application of a few
 * executors uses up its failures (twice the number of executors, never forgotten) within seconds
 * and ends with exit code 11. The operator withholds the slots of a node that rejects, which takes
 * seconds; these limits bridge them, and end what does not heal (ExecutorPodsAllocator,
 * ExecutorFailureTracker).
 *
 * <p>Limit: the numbers are this project's own, chosen and not measured.
 */
public final class RetryLimits implements Concern {
  static final String MAX_FAILURES = "spark.executor.maxNumFailures";
  static final String VALIDITY = "spark.executor.failuresValidityInterval";

  private static final int LARGEST_BATCH = 100;

  @Override
  public Contribution contribution(Request request) {
    ExecutorRequest executors = request.sized().executors();
    Settings settings = new Settings();
    if (executors.pinned().isPresent()) {
      of(
              executors.mostInstances().orElse(executors.instances()),
              executors.range().isPresent(),
              request.spec().sparkVersion())
          .forEach(limit -> settings.derived(limit.why()).put(limit.key(), limit.value()));
    }
    return Contribution.of(settings);
  }

  /** Failures of executors within the validity interval after which the driver ends. */
  static List<SparkProperty> failures(int executors) {
    return List.of(
        new SparkProperty(
            MAX_FAILURES,
            String.valueOf(Math.max(20, 10L * executors)),
            "each executor may be rejected once for every time that a slot is offered again, which"
                + " happens ever more slowly; Spark's default is 2 per executor"),
        new SparkProperty(
            VALIDITY,
            "10m",
            "failures are forgotten, so that a long application does not end from old ones; Spark"
                + " never forgets by default"));
  }

  /**
   * All limits.
   *
   * @param executors most that run at once
   * @param sparkVersion spec.sparkVersion, or null
   */
  static List<SparkProperty> of(int executors, boolean dynamic, String sparkVersion) {
    List<SparkProperty> limits = new ArrayList<>(failures(executors));
    limits.add(
        new SparkProperty(
            "spark.kubernetes.allocation.batch.size",
            String.valueOf(Math.max(1, Math.min(executors, LARGEST_BATCH))),
            "all executors in one round, so that the longer delay does not slow the start; at most "
                + LARGEST_BATCH));
    limits.add(
        new SparkProperty(
            "spark.kubernetes.allocation.batch.delay",
            "3s",
            "time to withhold a slot before the scheduler is given the next pod; Spark's default is"
                + " 1s"));
    limits.add(
        new SparkProperty(
            "spark.kubernetes.allocation.maxPendingPods",
            String.valueOf(Math.max(1, executors)),
            "never more pods waiting than executors; Spark has no limit by default"));
    if (!dynamic && SparkRelease.isAtLeast(sparkVersion, 4, 1)) {
      limits.add(
          new SparkProperty(
              "spark.kubernetes.allocation.maximum",
              String.valueOf(Math.max(10_000, 100L * executors)),
              "pods over the application's whole life, for loops that no failure is counted in, such"
                  + " as pods that are deleted from outside; since Spark 4.1, not with dynamic allocation,"
                  + " where executors come and go"));
    }
    return List.copyOf(limits);
  }
}
