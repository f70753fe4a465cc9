package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.api.v1alpha1.WantedKnobs.Scope;
import io.numaspark.controller.fixture.Scrape;
import io.numaspark.controller.slots.PinnedNodes;
import io.numaspark.controller.status.KnobReport;
import io.numaspark.controller.status.PinnerStates;
import io.numaspark.controller.status.SystemdStates;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AgentMetricsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void nodesAreCountedByAgentAndByKnob() {
    WantedKnobs wanted =
        new WantedKnobs(
            "dual", Scope.Node, Map.of("memory.swappiness", "1"), List.of("memory.swappiness"));
    TreeMap<String, Optional<SparkNodeTopology>> nodes = new TreeMap<>();
    nodes.put("a", Optional.of(topology("Applied")));
    nodes.put("b", Optional.of(topology("Failed")));
    nodes.put("c", Optional.empty());
    assertThat(scrape(Map.of("dual", new KnobReport(Optional.of(wanted), nodes, NOW))))
        .contains(
            "numaspark_agent_nodes{profile=\"dual\",state=\"reporting\"} 2.0",
            "numaspark_agent_nodes{profile=\"dual\",state=\"silent\"} 0.0",
            "numaspark_agent_nodes{profile=\"dual\",state=\"missing\"} 1.0",
            "numaspark_knob_nodes{knob=\"memory.swappiness\",profile=\"dual\",state=\"Applied\"} 1.0",
            "numaspark_knob_nodes{knob=\"memory.swappiness\",profile=\"dual\",state=\"Failed\"} 1.0",
            "numaspark_knob_nodes{knob=\"memory.swappiness\",profile=\"dual\",state=\"Unknown\"} 1.0");
  }

  @Test
  void nodesThatTheRuntimeShallPinAreCountedByTheirPinner() {
    assertThat(scrape(Map.of()))
        .contains(
            "numaspark_pinner_nodes{profile=\"dual\",state=\"NoAgent\"} 1.0",
            "numaspark_pinner_nodes{profile=\"dual\",state=\"Connected\"} 0.0");
  }

  @Test
  void executorsThatAreThrottledOrFarFromTheirMemoryAreCounted() {
    assertThat(
            scrape(
                Map.of(),
                "{phase: Running, localMemoryPercent: 90, throttledPercent: 9}",
                "{phase: Running, localMemoryPercent: 91, throttledPercent: 10}",
                "{phase: Gone, localMemoryPercent: 0, throttledPercent: 100}",
                "{phase: Running}"))
        .contains("numaspark_executors_throttled 1.0", "numaspark_executors_remote_memory 1.0");
  }

  @Test
  void executorsThatReadTheMemoryOfOthersAreCounted() {
    assertThat(
            scrape(
                Map.of(),
                "{phase: Running, counters: {remoteAccessPercent: 10}}",
                "{phase: Running, counters: {remoteAccessPercent: 9}}",
                "{phase: Running, counters: {switchesPerSecond: 1}}",
                "{phase: Gone, counters: {remoteAccessPercent: 50}}",
                "{phase: Running}"))
        .contains("numaspark_executors_remote_accesses 1.0", "numaspark_executors_counted 3.0");
  }

  private static SparkNodeTopology topology(String state) {
    return Serialization.unmarshal(
        """
        status:
          heartbeat: "2026-01-01T11:59:00Z"
          knobs: [{name: memory.swappiness, wanted: "1", state: %s}]
        """
            .formatted(state),
        SparkNodeTopology.class);
  }

  private static String scrape(Map<String, KnobReport> reports, String... executors) {
    SparkApplication application =
        Serialization.unmarshal(
            "metadata: {name: a}\nstatus: {executors: [" + String.join(", ", executors) + "]}",
            SparkApplication.class);
    PrometheusRegistry registry = new PrometheusRegistry();
    PinnerStates pinners =
        PinnerStates.of("dual", PinnedNodes.byRuntime(), node -> Optional.empty(), NOW);
    AgentMetrics.register(
        registry,
        () -> Stream.of(application),
        () -> reports,
        () -> Map.of("dual", pinners),
        () -> Map.of("dual", new SystemdStates(3, new TreeMap<>(Map.of("a", "moves")))));
    return Scrape.of(registry);
  }
}
