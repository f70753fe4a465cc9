package io.numaspark.render.scheduling;

import static io.numaspark.render.fixture.Renderings.executor;
import static io.numaspark.render.fixture.Renderings.ordinary;
import static io.numaspark.render.fixture.Renderings.other;
import static io.numaspark.render.fixture.Renderings.pinned;
import static io.numaspark.render.fixture.Renderings.refusal;
import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.fixture.Resources;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesGangTest {
  private static final String WORKLOAD = "batchScheduler: workload";

  @Test
  void theExecutorsAreTheGangAndTheDriverIsOutside() {
    Manifests manifests =
        ordinary(
            WORKLOAD,
            "executor: {instances: 3}",
            "batchSchedulerOptions: {priorityClassName: high}",
            "driver: {priorityClassName: own}");
    GenericKubernetesResource group = other(manifests, GenericKubernetesResource.class);
    assertThat(group.getApiVersion()).isEqualTo("scheduling.k8s.io/v1beta1");
    assertThat(group.getKind()).isEqualTo("PodGroup");
    assertThat(group.getMetadata().getName()).isEqualTo("pi-pg");
    assertThat(group.getMetadata().getOwnerReferences()).hasSize(1);
    assertThat(group.getAdditionalProperties().get("spec"))
        .isEqualTo(
            Map.of(
                "schedulingPolicy",
                Map.of("gang", Map.of("minCount", 3)),
                "priorityClassName",
                "high"));
    assertThat(executor(manifests).getSpec().getAdditionalProperties())
        .isEqualTo(Map.of("schedulingGroup", Map.of("podGroupName", "pi-pg")));
    assertThat(manifests.driverPod().getSpec().getAdditionalProperties()).isEmpty();
    assertThat(executor(manifests).getSpec().getSchedulerName()).isNull();
    assertThat(executor(manifests).getSpec().getPriorityClassName()).isEqualTo("high");
    assertThat(manifests.driverPod().getSpec().getPriorityClassName()).isEqualTo("own");
  }

  /** Kubernetes 1.37 places no group whose pods have another priority. */
  @Test
  void theGroupHasThePriorityOfItsExecutors() {
    Manifests manifests =
        ordinary(
            WORKLOAD,
            "executor: {instances: 2, priorityClassName: own}",
            "batchSchedulerOptions: {priorityClassName: high}");
    assertThat(executor(manifests).getSpec().getPriorityClassName()).isEqualTo("own");
    assertThat(manifests.driverPod().getSpec().getPriorityClassName()).isEqualTo("high");
    GenericKubernetesResource group = other(manifests, GenericKubernetesResource.class);
    assertThat(group.<String>get("spec", "priorityClassName")).isEqualTo("own");
  }

  /** As Spark reads it: the field is not lost when the pod becomes text. */
  @Test
  void thePodTemplateHasTheGroup() {
    Manifests manifests = ordinary(WORKLOAD, "executor: {instances: 2}");
    String template = manifests.configuration().getData().get(ExecutorPodTemplate.FILE);
    assertThat(Resources.tree(template).at("/spec/schedulingGroup/podGroupName").asText())
        .isEqualTo("pi-pg");
  }

  @Test
  void eachAttemptHasAGroupOfItsOwn() {
    SparkApplication application = application(WORKLOAD, "executor: {instances: 2}");
    Manifests second =
        (Manifests) new ApplicationRenderer("spark").render(application, Optional.empty(), 2);
    String name = other(second, GenericKubernetesResource.class).getMetadata().getName();
    assertThat(name).isNotEqualTo("pi-pg").startsWith("pi-pg");
    assertThat(executor(second).getSpec().getAdditionalProperties())
        .isEqualTo(Map.of("schedulingGroup", Map.of("podGroupName", name)));
  }

  /** Executors above the gang start as there is room; fewer than it are never scheduled. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'executor: {instances: 4}'                                                    | 4
          'executor: {instances: 4}, batchSchedulerOptions: {minMember: 3}'             | 3
          'sparkConf: {spark.executor.instances: "5"}'                                  | 5
          'dynamicAllocation: {enabled: true, minExecutors: 2, initialExecutors: 6}'    | 2
          'dynamicAllocation: {enabled: true, minExecutors: 3}, batchSchedulerOptions: {minMember: 2}' | 2
          'executor: {instances: 4}, sparkConf: {spark.kubernetes.allocation.maxPendingPods: "4"}' | 4
          """)
  void theGangIsWhatSparkKeepsUp(String fields, int members) {
    Manifests manifests = ordinary(WORKLOAD, fields);
    assertThat(members(manifests)).isEqualTo(members);
    assertThat(manifests.warnings()).isEmpty();
  }

  /** What the application wrote was split into more executors, and these are counted. */
  @Test
  void pinnedExecutorsAreCountedAfterTheSplit() {
    ProfileContext profile =
        context(
            profile("executor: {coresPerExecutor: {preferred: 3}, maxHeap: 4Gi}"), node("a", 7));
    Manifests manifests =
        pinned(profile, WORKLOAD, "executor: {instances: 1, cores: 12, memory: 8g}");
    int executors = manifests.executors().instances();
    assertThat(executors).isGreaterThan(1);
    assertThat(members(manifests)).isEqualTo(executors);
    assertThat(
            Integer.parseInt(
                manifests.sparkConf().get("spark.kubernetes.allocation.maxPendingPods")))
        .as("Spark creates all of them, although they wait")
        .isGreaterThanOrEqualTo(executors);
  }

  @Test
  void dynamicAllocationThatMayKeepNoExecutorHasNoGang() {
    Manifests manifests =
        ordinary(WORKLOAD, "dynamicAllocation: {enabled: true, initialExecutors: 3}");
    assertThat(manifests.others()).noneMatch(GenericKubernetesResource.class::isInstance);
    assertThat(executor(manifests).getSpec().getAdditionalProperties()).isEmpty();
    assertThat(manifests.warnings())
        .singleElement()
        .asString()
        .startsWith("spec.batchScheduler: has no effect: dynamic allocation may keep no executor");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'executor: {instances: 2}, batchSchedulerOptions: {minMember: 3}' | spec.batchSchedulerOptions.minMember: is 3, but the application has 2 executors, which would wait forever; give at most 2
          'dynamicAllocation: {enabled: true, minExecutors: 1, initialExecutors: 4}, batchSchedulerOptions: {minMember: 2}' | spec.batchSchedulerOptions.minMember: is 2, but dynamic allocation keeps 1 executors, and fewer than minMember are never scheduled; give at most 1, or raise spec.dynamicAllocation.minExecutors
          'dynamicAllocation: {enabled: true}, batchSchedulerOptions: {minMember: 2}' | spec.batchSchedulerOptions.minMember: is 2, but dynamic allocation keeps 0 executors, and fewer than minMember are never scheduled; remove it, or raise spec.dynamicAllocation.minExecutors
          'executor: {instances: 3}, sparkConf: {spark.kubernetes.allocation.maxPendingPods: "2"}' | spec.sparkConf["spark.kubernetes.allocation.maxPendingPods"]: is 2, but 3 executors wait for each other, so that Spark would never create all of them; give at least 3, or lower spec.batchSchedulerOptions.minMember
          'executor: {instances: 3}, sparkConf: {spark.kubernetes.allocation.maxPendingPodsPerRp: "1"}' | spec.sparkConf["spark.kubernetes.allocation.maxPendingPodsPerRp"]: is 1, but 3 executors wait
          'executor: {instances: 3}, sparkConf: {spark.kubernetes.allocation.maximum: "2"}' | spec.sparkConf["spark.kubernetes.allocation.maximum"]: is 2, but 3 executors wait
          """)
  void aGangThatCouldNeverBeCompleteIsRefused(String fields, String message) {
    assertThat(refusal(WORKLOAD, fields)).startsWith(message);
  }

  /** Spark creates the next pods while earlier ones wait, so that a small batch is only slower. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sparkConf: {spark.kubernetes.allocation.batch.size: '1'}",
        "sparkConf: {spark.kubernetes.scheduler.name: second}",
        "executor: {instances: 3, schedulerName: second}"
      })
  void whatAGangCanLiveWithIsTaken(String fields) {
    Manifests manifests = ordinary(WORKLOAD, fields);
    assertThat(manifests.others()).anyMatch(GenericKubernetesResource.class::isInstance);
  }

  private static int members(Manifests manifests) {
    GenericKubernetesResource group = other(manifests, GenericKubernetesResource.class);
    return Resources.tree(Serialization.asJson(group))
        .at("/spec/schedulingPolicy/gang/minCount")
        .asInt();
  }
}
