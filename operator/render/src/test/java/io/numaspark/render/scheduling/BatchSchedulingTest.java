package io.numaspark.render.scheduling;

import static io.numaspark.render.fixture.Renderings.executor;
import static io.numaspark.render.fixture.Renderings.ordinary;
import static io.numaspark.render.fixture.Renderings.other;
import static io.numaspark.render.fixture.Renderings.pinned;
import static io.numaspark.render.fixture.Renderings.refusal;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.fixture.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchSchedulingTest {
  private static final String SIZES =
      "driver: {cores: 1, memory: 1g}, executor: {instances: 3, cores: 2, memory: 4g}";

  /** Slots of 3 cores, 6 CPUs and a pod of 6 GiB and overhead. */
  private final ProfileContext profile =
      context(profile("executor: {coresPerExecutor: {preferred: 3}, maxHeap: 4Gi}"), node("a", 7));

  @ParameterizedTest(name = "{0}: {1} and {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'driver: {memory: 1g}, executor: {instances: 3, cores: 2, memory: 4g}' | 7 | 14923Mi
          'driver: {memory: 512m}, executor: {instances: 1, memory: 512m}'       | 2 | 1792Mi
          'driver: {coreRequest: 500m}, executor: {instances: 2, coreRequest: 250m}' | 1 | 4224Mi
          'driver: {coreRequest: 250m}, executor: {instances: 1}'                | 1250m | 2816Mi
          'type: Python, executor: {instances: 2, memory: 10g}'                  | 3 | 30105Mi
          'sparkConf: {spark.executor.instances: "4"}'                           | 5 | 7040Mi
          'dynamicAllocation: {enabled: true, minExecutors: 2}'                  | 3 | 4224Mi
          'dynamicAllocation: {enabled: true}'                                   | 1 | 1408Mi
          'memoryOverheadFactor: "0.5", executor: {memory: 2g}'                  | 2 | 4608Mi
          """)
  void theGroupHoldsDriverAndExecutorsWithTheirOverhead(String fields, String cpu, String memory) {
    Map<String, Object> group = group(ordinary("batchScheduler: volcano", fields));
    assertThat(group)
        .containsEntry("minMember", 1)
        .containsEntry("minResources", Map.of("cpu", cpu, "memory", memory));
  }

  @Test
  void pinnedExecutorsCountWithTheirSlots() {
    Manifests manifests = pinned(profile, "batchScheduler: volcano", "executor: {instances: 2}");
    long executors =
        2 * manifests.executors().pinned().orElseThrow().memory().podBytes() / (1 << 20);
    assertThat(group(manifests))
        .containsEntry(
            "minResources",
            Map.of("cpu", "13", "memory", 1408 + executors + "Mi", "slots.numaspark.io/test", "2"));
    assertThat(executor(manifests).getMetadata().getAnnotations())
        .containsEntry("volcano.sh/numa-topology-policy", "single-numa-node");
    assertThat(manifests.driverPod().getMetadata().getAnnotations())
        .doesNotContainKey("volcano.sh/numa-topology-policy");
  }

  @Test
  void volcanoFindsTheGroupByAnAnnotation() {
    Manifests manifests =
        ordinary(
            "batchScheduler: volcano",
            "batchSchedulerOptions: {queue: q, priorityClassName: high, resources: {cpu: 20}}",
            "driver: {priorityClassName: own}");
    GenericKubernetesResource group = other(manifests, GenericKubernetesResource.class);
    assertThat(group.getApiVersion()).isEqualTo("scheduling.volcano.sh/v1beta1");
    assertThat(group.getKind()).isEqualTo("PodGroup");
    assertThat(group(manifests))
        .isEqualTo(
            Map.of(
                "minMember",
                1,
                "minResources",
                Map.of("cpu", "20"),
                "queue",
                "q",
                "priorityClassName",
                "high"));
    for (Pod pod : List.of(manifests.driverPod(), executor(manifests))) {
      assertThat(pod.getSpec().getSchedulerName()).isEqualTo("volcano");
      assertThat(pod.getMetadata().getAnnotations())
          .containsEntry("scheduling.k8s.io/group-name", group.getMetadata().getName());
    }
    assertThat(manifests.driverPod().getSpec().getPriorityClassName()).isEqualTo("own");
    assertThat(executor(manifests).getSpec().getPriorityClassName()).isEqualTo("high");
  }

  @Test
  void anyOtherSchedulerGetsTheCoschedulingPluginsGroup() {
    Manifests manifests = ordinary("batchScheduler: my-scheduler", SIZES);
    GenericKubernetesResource group = other(manifests, GenericKubernetesResource.class);
    assertThat(group.getApiVersion()).isEqualTo("scheduling.x-k8s.io/v1alpha1");
    assertThat(group(manifests))
        .isEqualTo(Map.of("minMember", 1, "minResources", Map.of("cpu", "7", "memory", "14923Mi")));
    for (Pod pod : List.of(manifests.driverPod(), executor(manifests))) {
      assertThat(pod.getSpec().getSchedulerName()).isEqualTo("my-scheduler");
      assertThat(pod.getMetadata().getLabels())
          .containsEntry("scheduling.x-k8s.io/pod-group", "pi-pg");
    }
  }

  @Test
  void yunikornReservesAPlaceForEveryPod() {
    Manifests manifests =
        pinned(
            profile,
            "batchScheduler: yunikorn",
            "batchSchedulerOptions: {queue: root.a}",
            "driver: {nodeSelector: {pool: small}}",
            "executor: {instances: 2, tolerations: [{key: t, operator: Exists}]}");
    assertThat(manifests.others()).noneMatch(GenericKubernetesResource.class::isInstance);
    for (Pod pod : List.of(manifests.driverPod(), executor(manifests))) {
      assertThat(pod.getSpec().getSchedulerName()).isEqualTo("yunikorn");
      assertThat(pod.getMetadata().getLabels())
          .containsEntry("queue", "root.a")
          .containsEntry("applicationId", manifests.sparkConf().get("spark.app.id"));
    }
    JsonNode groups = taskGroups(manifests);
    assertThat(groups).hasSize(2);
    assertThat(groups.get(0).get("name").asText())
        .isEqualTo(taskGroup(manifests.driverPod()))
        .isEqualTo("spark-driver");
    assertThat(groups.get(0).get("minMember").asInt()).isEqualTo(1);
    assertThat(groups.get(0).at("/minResource/memory").asText()).isEqualTo("1408Mi");
    assertThat(groups.get(0).at("/nodeSelector/pool").asText()).isEqualTo("small");
    assertThat(groups.get(1).get("name").asText())
        .isEqualTo(taskGroup(executor(manifests)))
        .isEqualTo("spark-executor");
    assertThat(groups.get(1).get("minMember").asInt()).isEqualTo(2);
    assertThat(groups.get(1).at("/minResource/cpu").asText()).isEqualTo("6");
    assertThat(groups.get(1).at("/minResource/slots.numaspark.io~1test").asText()).isEqualTo("1");
    assertThat(groups.get(1).at("/tolerations/0/key").asText()).isEqualTo("t");
    assertThat(groups.get(1).at("/affinity/podAffinity").isMissingNode())
        .as("placeholders are packed as the executors are")
        .isFalse();
  }

  @Test
  void yunikornHasNoGroupOfNoExecutors() {
    Manifests manifests =
        ordinary("batchScheduler: yunikorn", "dynamicAllocation: {enabled: true}");
    assertThat(taskGroups(manifests)).hasSize(1);
    assertThat(taskGroup(executor(manifests))).isNull();
  }

  @Test
  void sidecarsAndInitContainersCount() {
    Map<String, Object> group =
        group(
            ordinary(
                "batchScheduler: volcano",
                "driver: {sidecars: [{name: s, resources: {requests: {cpu: 500m, memory: 100Mi}}}],"
                    + " initContainers: [{name: i, resources: {limits: {cpu: 4}}}]}",
                "executor: {instances: 1, sidecars: [{name: s, resources: {requests: {cpu: 100m}}}]}"));
    assertThat(group.get("minResources")).isEqualTo(Map.of("cpu", "5100m", "memory", "2916Mi"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'spark.kubernetes.scheduler.name: other'                 | spec.sparkConf["spark.kubernetes.scheduler.name"]: is other, but spec.batchScheduler is volcano; remove one
          'spark.executor.memoryOverhead: some'                    | spec.sparkConf["spark.executor.memoryOverhead"]: 'some' is not a memory size
          'spark.kubernetes.executor.request.cores: few'           | spec.sparkConf["spark.kubernetes.executor.request.cores"]: 'few' is not an amount of CPU; write
          'spark.kubernetes.executor.request.cores: "-1"'          | spec.sparkConf["spark.kubernetes.executor.request.cores"]: '-1' is not an amount of CPU; write
          'spark.kubernetes.executor.request.cores: 30Gi'          | spec.sparkConf["spark.kubernetes.executor.request.cores"]: '30Gi' is not an amount of CPU; write
          'spark.executor.cores: "-2"'                             | spec.sparkConf["spark.executor.cores"]: '-2' is not a number of tasks; give
          """)
  void whatCannotBeCountedIsRefused(String conf, String message) {
    assertThat(refusal("batchScheduler: volcano", "sparkConf: {" + conf + "}")).startsWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'batchSchedulerOptions: {resources: {cpu: null}}'                                  | spec.batchSchedulerOptions.resources["cpu"]: has no value; give
          'driver: {sidecars: [{name: s, resources: {requests: {cpu: lots}}}]}'              | spec.driver.sidecars[0].resources.requests.cpu: is "lots"; give a quantity
          """)
  void amountsThatAreNoneAreRefused(String field, String message) {
    assertThat(refusal("batchScheduler: volcano", field)).startsWith(message);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> group(Manifests manifests) {
    return (Map<String, Object>)
        other(manifests, GenericKubernetesResource.class).getAdditionalProperties().get("spec");
  }

  private static JsonNode taskGroups(Manifests manifests) {
    return Resources.tree(
        manifests
            .driverPod()
            .getMetadata()
            .getAnnotations()
            .get("yunikorn.apache.org/task-groups"));
  }

  private static String taskGroup(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get("yunikorn.apache.org/task-group-name");
  }
}
