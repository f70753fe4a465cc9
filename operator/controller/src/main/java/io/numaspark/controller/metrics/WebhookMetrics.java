package io.numaspark.controller.metrics;

import io.numaspark.controller.webhook.AdmissionHandler.Outcome;
import io.numaspark.controller.webhook.AdmissionHandler.WebhookRequests;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.List;
import java.util.Locale;

/** What the webhook answered, and how long it took. */
public final class WebhookMetrics implements WebhookRequests {
  private static final List<String> KINDS = List.of("Pod", "SparkApplication", "other");

  private final Counter requests;
  private final Histogram duration;

  /** Registers the metrics. */
  public WebhookMetrics(PrometheusRegistry registry) {
    requests =
        Counter.builder()
            .name("numaspark_webhook_requests_total")
            .help(
                "Questions of the API server about executor pods and applications of others, by kind and outcome:"
                    + " pinned, left (the object says why), unchanged, error (a defect; the object stayed as it was).")
            .labelNames("kind", "outcome")
            .register(registry);
    for (String kind : KINDS) {
      for (Outcome outcome : Outcome.values()) {
        requests.initLabelValues(kind, label(outcome));
      }
    }
    duration =
        Histogram.builder()
            .name("numaspark_webhook_duration_seconds")
            .help("Time that an answer of the webhook took, without that of the connection.")
            .unit(Unit.SECONDS)
            .classicUpperBounds(0.001, 0.005, 0.02, 0.1, 0.5, 2)
            .classicOnly()
            .register(registry);
  }

  @Override
  public void answered(String kind, Outcome outcome, long nanoseconds) {
    requests.labelValues(kind, label(outcome)).inc();
    duration.observe(nanoseconds / 1e9);
  }

  private static String label(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
