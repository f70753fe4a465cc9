package io.numaspark.controller.metrics;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;
import static io.numaspark.api.v1alpha1.SparkApplicationStatus.waits;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
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
            "Time from an application's creation, or its first resumption, until its first driver is submitted; with a nodeProfile it may wait for slots.");
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
    if (to == State.SUBMITTED && !waits(after)) {
      waitedSince(application, before).ifPresent(since -> observe(wait, profile, since, now));
    } else if (to == State.RUNNING
        && from == State.SUBMITTED
        && after.lastSubmissionAttemptTime() != null) {
      observe(start, profile, after.lastSubmissionAttemptTime(), now);
    }
  }

  /** Later attempts do not count: somebody wanted them, or the first one failed. */
  private static Optional<String> waitedSince(
      SparkApplication application, SparkApplicationStatus before) {
    State from = stateOf(before);
    boolean isNew = from == null || from == State.PENDING && before.sparkApplicationId() == null;
    if (isNew) {
      return Optional.of(application.getMetadata().getCreationTimestamp());
    }
    return before.sparkApplicationId() == null
        ? Optional.ofNullable(before.applicationState().waitingSince())
        : Optional.empty();
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
