package io.numaspark.render.scheduling;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KueueWorkloadTest {
  private static final ApplicationRenderer RENDERER = new ApplicationRenderer("spark");
  private static final Optional<ProfileContext> PROFILE =
      Optional.of(context(profile(), node("numa-0", 8)));

  @Test
  void aPodSetRequestsWhatAWholePodDoesWithItsSlots() {
    GenericKubernetesResource workload =
        workload(1, "nodeProfile: test", "executor: {instances: 3}");
    assertThat(workload.<String>get("spec", "queueName")).isEqualTo("team");
    assertThat(workload.getMetadata().getName()).isEqualTo("pi-kueue");
    assertThat(workload.getMetadata().getOwnerReferences()).hasSize(1);
    List<Map<String, Object>> podSets = workload.get("spec", "podSets");
    assertThat(podSets)
        .extracting(set -> set.get("name") + " " + set.get("count"))
        .containsExactly("driver 1", "executor 3");
    Map<String, String> requests = requests(workload, 1);
    assertThat(requests)
        .containsEntry("slots.numaspark.io/test", "1")
        .containsKeys("cpu", "memory");
    assertThat(requests(workload, 0)).containsOnlyKeys("cpu", "memory");
  }

  /** Else each attempt would queue again, and an eviction would be forgotten. */
  @Test
  void laterAttemptsAreTheSameWorkload() {
    String[] spec = {"nodeProfile: test", "executor: {instances: 3}"};
    assertThat(workload(2, spec)).isEqualTo(workload(1, spec));
    assertThat(workload(1, "nodeProfile: test", "executor: {instances: 4}").getMetadata())
        .isNotEqualTo(workload(1, spec).getMetadata());
  }

  @Test
  void dynamicAllocationCountsWithItsMaximum() {
    GenericKubernetesResource workload =
        workload(1, "dynamicAllocation: {enabled: true, minExecutors: 1, maxExecutors: 7}");
    assertThat(workload.<Integer>get("spec", "podSets", 1, "count")).isEqualTo(7);
    Request endless =
        (Request)
            RENDERER.prepare(
                application("dynamicAllocation: {enabled: true}"), Optional.empty(), 1);
    assertThat(KueueWorkload.refusal(endless))
        .hasValueSatisfying(
            message -> assertThat(message).startsWith("spec.dynamicAllocation.maxExecutors"));
  }

  private static Map<String, String> requests(GenericKubernetesResource workload, int podSet) {
    return workload.get(
        "spec", "podSets", podSet, "template", "spec", "containers", 0, "resources", "requests");
  }

  private static Request request(int attempt, String... spec) {
    return (Request) RENDERER.prepare(application(spec), PROFILE, attempt);
  }

  private static GenericKubernetesResource workload(int attempt, String... spec) {
    Request request = request(attempt, spec);
    return KueueWorkload.of("team", request, RENDERER.fold(request));
  }
}
