package io.numaspark.controller.metrics;

import io.numaspark.controller.webhook.AdmissionHandler.Outcome;
import io.numaspark.controller.webhook.AdmissionHandler.WebhookRequests;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** What the webhook answered, how long it took, and until when its certificate holds. */
public final class WebhookMetrics implements WebhookRequests {
  private static final List<String> KINDS =
      List.of("Pod", "SparkApplication", "ConfigMap", "other");

  private final Counter requests;
  private final Histogram duration;

  /**
   * Registers the metrics.
   *
   * @param certificateExpiry when the certificate that is served expires; empty if there is none
   */
  public WebhookMetrics(
      PrometheusRegistry registry, Supplier<Optional<Instant>> certificateExpiry) {
    GaugeWithCallback.builder()
        .name("numaspark_webhook_certificate_expiry_timestamp_seconds")
        .help("When the webhook's certificate expires; absent while it has none.")
        .unit(Unit.SECONDS)
        .callback(
            callback -> certificateExpiry.get().ifPresent(at -> callback.call(at.getEpochSecond())))
        .register(registry);
    requests =
        Counter.builder()
            .name("numaspark_webhook_requests_total")
            .help(
                "Questions of the API server about executor pods, applications and driver properties, by kind and outcome:"
                    + " pinned, filled (with defaults of the namespace), left (the object says why), unchanged, error (a defect; the object stayed as it was).")
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
