package io.numaspark.render.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.RuntimePinning;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.fixture.Specs;
import io.numaspark.render.profile.TopologyTranslator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The machine has 2 NUMA nodes of 4 cores and 16 GiB, 2 threads a core, core 0-1 reserved. */
class PodJudgeTest {
  private static final Machine PINNING = machine(Specs.PINNING_KUBELET);
  private static final Machine BY_CONTAINER =
      machine(
          Specs.PINNING_KUBELET.replace(
              "topologyManagerScope: pod", "topologyManagerScope: container"));
  private static final Machine HALF_CORES =
      machine(Specs.PINNING_KUBELET.replace("'true'", "'false'"));

  private static final String EXECUTOR =
      "{name: spark-kubernetes-executor, resources: {requests: {cpu: 4, memory: 4Gi}, limits: {cpu: 4, memory: 4Gi}}}";
  private static final String AGENT =
      "{name: agent, resources: {limits: {cpu: 100m, memory: 64Mi}}}";

  private static final Machine BY_RUNTIME =
      new RuntimePinning(1, OptionalLong.empty(), PinnedBy.Memory.BIND).pin(machine("{}"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "false | 'requests: {cpu: 4, memory: 4Gi}'         | PodNotAnnotated",
        "true  | 'requests: {cpu: 4, memory: 4Gi}'         | ''",
        "true  | 'limits: {cpu: 4, memory: 4Gi}'           | CpuLimitThrottles",
        "true  | 'limits: {memory: 4Gi}'                   | ''",
      })
  void theRuntimePinsWhatIsAnnotatedOfWhateverClass(
      boolean annotated, String resources, String reason) {
    Pod pod = pod(containers("{name: spark-kubernetes-executor, resources: {" + resources + "}}"));
    pod.getMetadata().setAnnotations(annotated ? Map.of("numaspark.io/pin", "lab") : Map.of());
    assertThat(PodJudge.judge(pod, BY_RUNTIME))
        .extracting(finding -> finding.reason().displayName())
        .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
  }

  private static Machine machine(String kubelet) {
    return TopologyTranslator.machine(Specs.node("n", 4, kubelet).getSpec());
  }

  private static Pod pod(String spec) {
    return Serialization.unmarshal(
        "---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: " + spec + "}", Pod.class);
  }

  private static String containers(String... containers) {
    return "{containers: [" + String.join(", ", containers) + "]}";
  }

  private static String asking(String name, String cpu, String memory) {
    return "{name: %s, resources: {limits: {cpu: %s, memory: %s}}}".formatted(name, cpu, memory);
  }

  static Stream<Arguments> pinnedPods() {
    return Stream.of(
        Arguments.of("an executor", containers(EXECUTOR), PINNING),
        Arguments.of("requests left to the limits", containers(asking("a", "2", "1Gi")), PINNING),
        Arguments.of("whole CPUs as milli", containers(asking("a", "2000m", "1Gi")), PINNING),
        Arguments.of("a helper with a fraction", containers(AGENT, EXECUTOR), PINNING),
        Arguments.of("as large as a NUMA node", containers(asking("a", "8", "15Gi")), PINNING),
        Arguments.of(
            "a fraction in an init container",
            "{initContainers: [%s], containers: [%s]}".formatted(AGENT, EXECUTOR),
            BY_CONTAINER),
        Arguments.of(
            "an ephemeral container without limits",
            "{ephemeralContainers: [{name: debug}], containers: [%s]}".formatted(EXECUTOR),
            PINNING));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pinnedPods")
  void isPinned(String what, String spec, Machine machine) {
    assertThat(PodJudge.judge(pod(spec), machine)).isEmpty();
  }

  static Stream<Arguments> findings() {
    return Stream.of(
        one(
            "Spark's default: no CPU limit",
            containers(
                "{name: spark-kubernetes-executor, resources: {requests: {cpu: 4, memory: 4Gi}, limits: {memory: 4Gi}}}"),
            PINNING,
            "Error PodNotGuaranteed",
            "container spark-kubernetes-executor has no cpu limit",
            "spark.kubernetes.executor.limit.cores"),
        one(
            "an injected sidecar without limits",
            containers(EXECUTOR, "{name: istio-proxy}"),
            PINNING,
            "Error PodNotGuaranteed",
            "container istio-proxy has no cpu limit: the pod is not of QoS class Guaranteed",
            "stop its injection"),
        one(
            "an init container without memory limit",
            "{initContainers: [{name: setup, resources: {limits: {cpu: 1}}}], containers: [%s]}"
                .formatted(EXECUTOR),
            PINNING,
            "Error PodNotGuaranteed",
            "init container setup has no memory limit",
            "resources.limits.memory of init container setup"),
        one(
            "a LimitRange's default request",
            containers(
                "{name: a, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, memory: 1Gi}}}"),
            PINNING,
            "Error PodNotGuaranteed",
            "container a requests another amount of cpu than its limit",
            "LimitRange"),
        one(
            "fractional CPUs",
            containers(asking("a", "6500m", "1Gi")),
            PINNING,
            "Error CpuNotWhole",
            "container a requests 6.5 CPUs, which is not a whole number",
            "a multiple of 2 CPUs"),
        one(
            "half a core",
            containers(asking("a", "7", "1Gi")),
            PINNING,
            "Error CpuNotWholeCores",
            "container a requests 7 CPUs, and a core has 2: with full-pcpus-only the pod is rejected",
            "a multiple of 2 CPUs"),
        one(
            "half a core where that is possible",
            containers(asking("a", "7", "1Gi")),
            HALF_CORES,
            "Warning CpuNotWholeCores",
            "another pod may get the rest of its core",
            "a multiple of 2 CPUs"),
        one(
            "a sidecar with whole CPUs",
            containers(EXECUTOR, asking("proxy", "2", "64Mi")),
            PINNING,
            "Warning ExclusiveHelperContainer",
            "container proxy requests 2 whole CPUs and gets them for itself",
            "900m"),
        one(
            "an init container with whole CPUs and scope container",
            "{initContainers: [%s], containers: [%s]}".formatted(asking("i", "2", "1Gi"), EXECUTOR),
            BY_CONTAINER,
            "Warning ExclusiveHelperContainer",
            "init container i requests 2 whole CPUs and gets them for itself; with topologyManagerScope container",
            "900m"),
        one(
            "more CPUs than a NUMA node",
            containers(asking("a", "10", "1Gi")),
            PINNING,
            "Error PodDoesNotFit",
            "even an empty node rejects the pod: TopologyAffinityError",
            "fit one NUMA node"),
        one(
            "more memory than a NUMA node",
            containers(asking("a", "2", "17Gi")),
            PINNING,
            "Error PodDoesNotFit",
            "even an empty node rejects the pod: TopologyAffinityError",
            "fit one NUMA node"),
        one(
            "sidecars count beside the containers",
            "{initContainers: [{name: s, restartPolicy: Always, resources: {limits: {cpu: 100m, memory: 13Gi}}}],"
                + " containers: [%s]}".formatted(EXECUTOR),
            PINNING,
            "Error PodDoesNotFit",
            "even an empty node rejects the pod: TopologyAffinityError",
            "fit one NUMA node"),
        one(
            "resources of the pod",
            "{resources: {limits: {cpu: 4, memory: 4Gi}}, containers: [%s]}".formatted(EXECUTOR),
            PINNING,
            "Error PodLevelResources",
            "spec.resources is set",
            "each container"),
        one(
            "overhead of a RuntimeClass",
            "{overhead: {cpu: 250m}, containers: [%s]}".formatted(EXECUTOR),
            PINNING,
            "Info RuntimeClassOverhead",
            "the scheduler counts it, the NUMA node does not",
            "RuntimeClass without overhead"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("findings")
  void isNot(
      String what, String spec, Machine machine, String reason, String message, String remedy) {
    List<Finding> findings = PodJudge.judge(pod(spec), machine);
    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity().displayName() + " " + finding.reason().displayName())
                  .isEqualTo(reason);
              assertThat(finding.message()).contains(message);
              assertThat(finding.remedy()).contains(remedy);
            });
  }

  @Test
  void aHelperWithOneCpuIsRejectedAndDisturbs() {
    assertThat(PodJudge.judge(pod(containers(EXECUTOR, asking("proxy", "1", "64Mi"))), PINNING))
        .extracting(finding -> finding.reason().displayName())
        .containsExactly("CpuNotWholeCores", "ExclusiveHelperContainer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {}                                                                       | spec.containers: is empty; a pod needs a container
          {containers: []}                                                         | spec.containers: is empty; a pod needs a container
          {containers: [{name: a, resources: {limits: {cpu: many, memory: 1Gi}}}]} | spec.containers[0]
          {containers: [{name: a, resources: {limits: {cpu: 2, memory: 1Zi}}}]}    | spec.containers[0]
          """)
  void brokenPodsAreNamed(String spec, String message) {
    assertThatThrownBy(() -> PodJudge.judge(pod(spec), PINNING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  private static Arguments one(
      String what, String spec, Machine machine, String reason, String message, String remedy) {
    return Arguments.of(what, spec, machine, reason, message, remedy);
  }
}
