package io.numaspark.render.executors;

import static io.numaspark.render.fixture.Renderings.executor;
import static io.numaspark.render.fixture.Renderings.ordinary;
import static io.numaspark.render.fixture.Renderings.pinned;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExecutorPlacementTest {
  private final ProfileContext profile = context(profile(), node("a", 4));

  @Test
  void pinnedExecutorsPreferTheNodeOfTheOthers() {
    Manifests manifests = pinned(profile);
    PodSpec spec = executor(manifests).getSpec();
    assertThat(preferred(spec))
        .singleElement()
        .satisfies(
            term -> {
              assertThat(term.getWeight()).isEqualTo(100);
              assertThat(term.getPodAffinityTerm().getTopologyKey())
                  .isEqualTo("kubernetes.io/hostname");
              assertThat(term.getPodAffinityTerm().getLabelSelector().getMatchLabels())
                  .isEqualTo(
                      Map.of(
                          "spark-app-selector",
                          manifests.sparkConf().get("spark.app.id"),
                          "spark-role",
                          "executor"));
            });
    assertThat(spec.getTopologySpreadConstraints()).isEmpty();
    assertThat(manifests.driverPod().getSpec().getAffinity()).isNull();
  }

  @Test
  void spreadIsAPreferenceToo() {
    PodSpec spec = executor(pinned(profile, "executor: {placement: Spread}")).getSpec();
    assertThat(spec.getAffinity()).isNull();
    assertThat(spec.getTopologySpreadConstraints())
        .singleElement()
        .satisfies(
            constraint -> {
              assertThat(constraint.getMaxSkew()).isEqualTo(1);
              assertThat(constraint.getWhenUnsatisfiable()).isEqualTo("ScheduleAnyway");
              assertThat(constraint.getTopologyKey()).isEqualTo("kubernetes.io/hostname");
              assertThat(constraint.getLabelSelector().getMatchLabels())
                  .containsEntry("spark-role", "executor");
            });
  }

  @Test
  void ordinaryExecutorsAreLeftToTheSchedulerUnlessTheySay() {
    assertThat(executor(ordinary()).getSpec().getAffinity()).isNull();
    assertThat(preferred(executor(ordinary("executor: {placement: Packed}")).getSpec())).hasSize(1);
  }

  @Test
  void theUsersAffinityStays() {
    PodSpec spec =
        executor(
                pinned(
                    profile,
                    "executor: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                        + " {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}},"
                        + " podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1,"
                        + " podAffinityTerm: {topologyKey: zone}}]}}}"))
            .getSpec();
    assertThat(spec.getAffinity().getNodeAffinity()).isNotNull();
    assertThat(preferred(spec))
        .extracting(WeightedPodAffinityTerm::getWeight)
        .containsExactly(1, 100);
  }

  private static List<WeightedPodAffinityTerm> preferred(PodSpec spec) {
    return spec.getAffinity().getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution();
  }
}
