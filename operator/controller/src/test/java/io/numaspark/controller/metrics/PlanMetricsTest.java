package io.numaspark.controller.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.fixture.Scrape;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanMetricsTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Map<String, ProfilePlan> plans = new HashMap<>();
  private final PlanMetrics metrics = new PlanMetrics(registry, () -> plans);

  @Test
  void strandedResourcesAreSumsOverNodes() {
    plans.put("dual", plan(node("a", Samples.dualSocket("a")), node("b", Samples.dualSocket("b"))));
    ProfilePlan one = plan(node("a", Samples.dualSocket("a")));
    int cpus = one.layoutByNode().get("a").strandedCpus().size();
    long bytes = one.layoutByNode().get("a").strandedMemoryBytes();
    assertThat(cpus).isPositive();
    assertThat(Scrape.of(registry))
        .contains("numaspark_stranded_cpus{profile=\"dual\"} " + 2.0 * cpus)
        .contains("numaspark_stranded_memory_bytes{profile=\"dual\"} " + 2.0 * bytes);
  }

  @Test
  void templatesAreNoNodes() {
    plans.put(
        "dual",
        ProfilePlanner.plan(
            Samples.profile("dual", "pool").getSpec(),
            List.of(),
            List.of(
                node("m6i", Samples.dualSocket("m6i")), new MatchedNode("no", Optional.empty())),
            false));
    assertThat(plans.get("dual").forApplications()).isPresent();
    assertThat(Scrape.of(registry))
        .contains("numaspark_stranded_cpus{profile=\"dual\"} 0.0")
        .doesNotContain("numaspark_findings{");
  }

  @Test
  void findingsAreCountedByNode() {
    plans.put(
        "dual",
        plan(
            node("a", Samples.dualSocketWithDefaultKubelet("a")),
            node("b", Samples.dualSocketWithDefaultKubelet("b")),
            new MatchedNode("c", Optional.empty())));
    String text = Scrape.of(registry);
    assertThat(text)
        .contains(
            "numaspark_findings{profile=\"dual\",reason=\"CpuManagerNotStatic\",severity=\"Error\"} 2.0");
    assertThat(
            plans.get("dual").unusable().stream()
                .filter(unusable -> unusable.node().equals("c"))
                .findFirst())
        .hasValueSatisfying(
            unusable ->
                assertThat(text)
                    .contains(
                        "numaspark_findings{profile=\"dual\",reason=\"%s\",severity=\"Error\"} 1.0"
                            .formatted(unusable.reason())));
  }

  @Test
  void planningIsTimedAlsoIfItFails() {
    assertThat(metrics.timed(() -> "plan")).isEqualTo("plan");
    try {
      metrics.timed(
          () -> {
            throw new IllegalArgumentException("it contradicts itself");
          });
    } catch (IllegalArgumentException expected) {
      assertThat(expected).hasMessage("it contradicts itself");
    }
    assertThat(Scrape.of(registry)).contains("numaspark_plan_duration_seconds_count 2");
  }

  private static MatchedNode node(String name, SparkNodeTopology topology) {
    return new MatchedNode(name, Optional.of(topology));
  }

  private static ProfilePlan plan(MatchedNode... nodes) {
    return ProfilePlanner.plan(Samples.profile("dual", "pool").getSpec(), List.of(nodes), false);
  }
}
