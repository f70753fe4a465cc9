package io.numaspark.controller.metrics;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * How long applications wait for their driver's submission, and drivers for running.
 *
 * <p>Limit: times of creation have whole seconds.
 */
public final class StartMetrics {
  private final Supplier<Set<String>> profiles;
  private final Set<String> observed = ConcurrentHashMap.newKeySet();
  private final Histogram wait;
  private final Histogram start;

  /**
   * Registers the metrics.
   *
   * @param profiles names of those that exist: a series goes with its profile, and an application
   *     that names another one makes none
   */
  public StartMetrics(PrometheusRegistry registry, Supplier<Set<String>> profiles) {
    this.profiles = profiles;
    wait =
        histogram(
            registry,
            "numaspark_submit_wait_seconds",
            "Time from an application's creation until its first driver is submitted; with a nodeProfile it may wait for slots.");
    start =
        histogram(
            registry,
            "numaspark_driver_start_seconds",
            "Time from a driver's submission until it runs: scheduling, pulling the image, starting the container.");
  }

  private static Histogram histogram(PrometheusRegistry registry, String name, String help) {
    Histogram histogram =
        Histogram.builder()
            .name(name)
            .help(help)
            .unit(Unit.SECONDS)
            .labelNames("profile")
            .classicUpperBounds(1, 2, 5, 15, 60, 300, 1800)
            .classicOnly()
            .register(registry);
    histogram.initLabelValues("");
    return histogram;
  }

  /**
   * Notes that a status was written.
   *
   * @param application as it is now
   * @param before its status until now; null for one that nobody looked at yet
   */
  public void changed(SparkApplication application, SparkApplicationStatus before, Instant now) {
    SparkApplicationStatus after = application.getStatus();
    State from = stateOf(before);
    State to = stateOf(after);
    String profile = Objects.requireNonNullElse(application.getSpec().nodeProfile(), "");
    if (to == State.SUBMITTED && isFirst(before, from)) {
      observe(wait, profile, application.getMetadata().getCreationTimestamp(), now);
    } else if (to == State.RUNNING
        && from == State.SUBMITTED
        && after.lastSubmissionAttemptTime() != null) {
      observe(start, profile, after.lastSubmissionAttemptTime(), now);
    }
  }

  /** Whoever suspends an application or changes it has another wait in mind. */
  private static boolean isFirst(SparkApplicationStatus before, State from) {
    return from == null || from == State.PENDING && before.sparkApplicationId() == null;
  }

  private void observe(Histogram histogram, String profile, String since, Instant now) {
    Set<String> existing = profiles.get();
    observed.removeIf(
        known -> {
          boolean gone = !existing.contains(known);
          if (gone) {
            wait.remove(known);
            start.remove(known);
          }
          return gone;
        });
    if (!profile.isEmpty()) {
      if (!existing.contains(profile)) {
        return;
      }
      observed.add(profile);
    }
    double seconds = Duration.between(Instant.parse(since), now).toMillis() / 1e3;
    histogram.labelValues(profile).observe(Math.max(0, seconds)); // clocks differ
  }
}
