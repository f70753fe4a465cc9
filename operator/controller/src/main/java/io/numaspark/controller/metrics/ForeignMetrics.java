package io.numaspark.controller.metrics;

import io.numaspark.controller.status.ForeignExecutors.Series;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.Supplier;

/** The metrics of executors that others create; their series go with the last pod. */
public final class ForeignMetrics {
  private ForeignMetrics() {}

  /**
   * Registers the numbers, which are counted from the caches at every scrape.
   *
   * @param byPinning executors with slots
   * @param notInjected executors that were left as they are, by namespace
   */
  public static void register(
      PrometheusRegistry registry,
      Supplier<Map<Series, Integer>> byPinning,
      Supplier<Map<String, Integer>> notInjected) {
    GaugeWithCallback.builder()
        .name("numaspark_foreign_executors")
        .help(
            "Running executors of others that request slots, by whether they are pinned: true, false, or unknown if no agent has reported them.")
        .labelNames("namespace", "profile", "pinned")
        .callback(
            callback ->
                byPinning
                    .get()
                    .forEach(
                        (series, executors) ->
                            callback.call(
                                executors, series.namespace(), series.profile(), series.pinned())))
        .register(registry);
    GaugeWithCallback.builder()
        .name("numaspark_foreign_executors_not_injected")
        .help(
            "Executors of others that the webhook left as they are; the annotation numaspark.io/not-injected of their pods says why.")
        .labelNames("namespace")
        .callback(
            callback ->
                notInjected.get().forEach((namespace, pods) -> callback.call(pods, namespace)))
        .register(registry);
  }
}
