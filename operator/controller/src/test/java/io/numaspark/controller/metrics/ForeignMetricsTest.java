package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.Scrape;
import io.numaspark.controller.status.ForeignExecutors.Series;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ForeignMetricsTest {
  @Test
  void seriesComeAndGoWithThePods() {
    Map<Series, Integer> byPinning = new TreeMap<>();
    Map<String, Integer> notInjected = new TreeMap<>();
    PrometheusRegistry registry = new PrometheusRegistry();
    ForeignMetrics.register(registry, () -> byPinning, () -> notInjected);
    byPinning.put(new Series("team", "dual", "false"), 3);
    notInjected.put("team", 2);
    assertThat(Scrape.of(registry))
        .contains(
            "numaspark_foreign_executors{namespace=\"team\",pinned=\"false\",profile=\"dual\"} 3.0",
            "numaspark_foreign_executors_not_injected{namespace=\"team\"} 2.0");
    byPinning.clear();
    notInjected.clear();
    assertThat(Scrape.of(registry)).doesNotContain("{");
  }
}
