package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.controller.fixture.Scrape;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StartMetricsTest {
  private static final String NEVER = null;

  private final Set<String> profiles = new HashSet<>(Set.of("dual"));
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final StartMetrics metrics = new StartMetrics(registry, () -> profiles);

  @Test
  void theWaitForTheFirstDriverBeginsWithTheApplication() {
    change(NEVER, "applicationState: {state: SUBMITTED}", "2026-01-01T12:00:03.500Z");
    assertThat(Scrape.of(registry))
        .contains("numaspark_submit_wait_seconds_sum{profile=\"dual\"} 3.5")
        .contains("numaspark_submit_wait_seconds_count{profile=\"dual\"} 1")
        .contains("numaspark_submit_wait_seconds_count{profile=\"\"} 0");
  }

  @Test
  void waitingForSlotsCounts() {
    change(NEVER, "applicationState: {state: PENDING}", "2026-01-01T12:00:01Z");
    change(
        "applicationState: {state: PENDING}",
        "applicationState: {state: SUBMITTED}",
        "2026-01-01T12:10:00Z");
    assertThat(Scrape.of(registry))
        .contains("numaspark_submit_wait_seconds_sum{profile=\"dual\"} 600.0");
  }

  @Test
  void whoeverWasResumedBeforeItEverRanWaitsFromThenOn() {
    change(
        "applicationState: {state: SUBMITTED, waitingSince: '2026-01-01T12:20:00Z'}",
        "applicationState: {state: SUBMITTED}",
        "2026-01-01T12:20:07Z");
    assertThat(Scrape.of(registry))
        .contains("numaspark_submit_wait_seconds_sum{profile=\"dual\"} 7.0");
  }

  @Test
  void whoeverStillWaitsIsNotSubmitted() {
    change(
        NEVER,
        "applicationState: {state: SUBMITTED, waitingSince: '2026-01-01T12:00:00Z'}",
        "2026-01-01T12:20:00Z");
    assertThat(Scrape.of(registry))
        .doesNotContain("numaspark_submit_wait_seconds_count{profile=\"dual\"}");
  }

  /** They come later because somebody wanted it, or because the first one failed. */
  @Test
  void laterAttemptsAndResumedApplicationsDoNotCountAsWaiting() {
    for (String before :
        new String[] {
          "applicationState: {state: PENDING_RERUN}\nsparkApplicationId: a",
          "applicationState: {state: PENDING}\nsparkApplicationId: a",
          "applicationState: {state: SUBMITTED, waitingSince: x}\nsparkApplicationId: a",
          "applicationState: {state: RESUMING}",
          "applicationState: {state: SUSPENDED}"
        }) {
      change(before, "applicationState: {state: SUBMITTED}", "2026-01-01T13:00:00Z");
    }
    assertThat(Scrape.of(registry))
        .contains("numaspark_submit_wait_seconds_count{profile=\"\"} 0")
        .doesNotContain("numaspark_submit_wait_seconds_count{profile=\"dual\"}");
  }

  @Test
  void aDriverStartsFromItsSubmissionOnInEachAttempt() {
    String running =
        "applicationState: {state: RUNNING}\nlastSubmissionAttemptTime: '2026-01-01T12:30:00Z'";
    change("applicationState: {state: SUBMITTED}", running, "2026-01-01T12:30:04Z");
    change("applicationState: {state: UNKNOWN}", running, "2026-01-01T12:40:00Z");
    assertThat(Scrape.of(registry))
        .contains("numaspark_driver_start_seconds_sum{profile=\"dual\"} 4.0")
        .contains("numaspark_driver_start_seconds_count{profile=\"dual\"} 1");
  }

  @Test
  void aClockThatIsBehindGivesNoNegativeTimes() {
    change(NEVER, "applicationState: {state: SUBMITTED}", "2026-01-01T11:59:00Z");
    assertThat(Scrape.of(registry))
        .contains("numaspark_submit_wait_seconds_sum{profile=\"dual\"} 0.0");
  }

  /** Whoever may write an application may write any name into it. */
  @Test
  void aSeriesIsThatOfAProfileThatExistsAndGoesWithIt() {
    change(NEVER, "applicationState: {state: SUBMITTED}", "2026-01-01T12:00:03Z");
    profiles.clear();
    change(NEVER, "applicationState: {state: SUBMITTED}", "2026-01-01T12:00:03Z");
    assertThat(Scrape.of(registry)).doesNotContain("profile=\"dual\"");
  }

  private void change(String before, String after, String now) {
    SparkApplication application =
        Serialization.unmarshal(
            "metadata: {name: a, creationTimestamp: '2026-01-01T12:00:00Z'}\nspec: {nodeProfile: dual}",
            SparkApplication.class);
    application.setStatus(status(after));
    metrics.changed(application, before == null ? null : status(before), Instant.parse(now));
  }

  private static SparkApplicationStatus status(String yaml) {
    return Serialization.unmarshal(yaml, SparkApplicationStatus.class);
  }
}
