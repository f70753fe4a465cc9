package io.numaspark.render.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.planner.plan.RuntimePinning;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.fixture.Machines;
import io.numaspark.render.pins.PinOutcome;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SharedPoolCauseTest {
  private static final Machine STATIC = Machines.dualSocket();
  private static final Machine NONE = Machines.dualSocketWithDefaultKubelet();

  private static final Machine RUNTIME =
      new RuntimePinning(1, OptionalLong.empty(), PinnedBy.Memory.BIND).pin(NONE);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          a sidecar without limits  | {requests: {cpu: 4, memory: 2Gi}, limits: {cpu: 4, memory: 2Gi}} | , {name: proxy, resources: {}} | PodNotGuaranteed | container proxy has no cpu limit
          no memory limit           | {requests: {cpu: 4, memory: 2Gi}, limits: {cpu: 4}}  | - | PodNotGuaranteed | has no memory limit
          request below its limit   | {requests: {cpu: 2, memory: 2Gi}, limits: {cpu: 4, memory: 2Gi}} | - | PodNotGuaranteed | requests another amount of cpu
          fractions of a CPU        | {requests: {cpu: 3500m, memory: 2Gi}, limits: {cpu: 3500m, memory: 2Gi}} | - | CpuNotWhole | requests 3.5 CPUs
          nothing wrong with it     | {requests: {cpu: 4, memory: 2Gi}, limits: {cpu: 4, memory: 2Gi}} | - | SharedCpus | check that every container
          """)
  void isFoundInThePod(
      String what, String resources, String sidecar, String reason, String message) {
    Diagnosis cause =
        new SharedPoolCause().of(pod(resources, sidecar, ""), STATIC, Optional.empty());
    assertThat(cause.reason()).as(cause.message()).isEqualTo(reason);
    assertThat(cause.message()).contains(message);
  }

  @Test
  void isTheKubeletIfThatGivesNoCpusAtAll() {
    String good = "{requests: {cpu: 4, memory: 2Gi}, limits: {cpu: 4, memory: 2Gi}}";
    Diagnosis cause = new SharedPoolCause().of(pod(good, "-", ""), NONE, Optional.empty());
    assertThat(cause.reason()).isEqualTo("CpuManagerNotStatic");
    assertThat(cause.message()).contains("node node-7").contains("cpuManagerPolicy: static");
  }

  @Test
  void isThePodsOwnResources() {
    String good = "{requests: {cpu: 4, memory: 2Gi}, limits: {cpu: 4, memory: 2Gi}}";
    SharedPoolCause causes = new SharedPoolCause();
    assertThat(
            causes
                .of(pod(good, "-", "resources: {limits: {cpu: 4}}"), STATIC, Optional.empty())
                .reason())
        .isEqualTo("PodLevelResources");
    assertThat(causes.of(pod(good, "-", ""), STATIC, Optional.empty()).reason())
        .as("another kind of pod is judged by itself")
        .isEqualTo("SharedCpus");
  }

  @Test
  void aPodThatCannotBeReadIsNotExplained() {
    Pod empty =
        Serialization.unmarshal("kind: Pod\nmetadata: {name: p}\nspec: {nodeName: n}", Pod.class);
    assertThat(new SharedPoolCause().of(empty, STATIC, Optional.empty()).reason())
        .isEqualTo("SharedCpus");
  }

  /** Each has its own sentence, with what to do. */
  @ParameterizedTest
  @CsvSource({
    "NO_FREE_SLOT, NoFreeSlot, it gets the next one that is",
    "STARTED_WITHOUT_PINNER, StartedWithoutPinner, it started while the pinner of node node-7 was away",
    "ALREADY_SET, AlreadySet, remove that program",
    "EARLIER_LAYOUT, EarlierLayout, delete its pod",
    "NOT_PINNING, SharedCpus, spec.pins.mode of SparkNodeTopology node-7",
    "PINNED, SharedCpus, wait for the next report",
    ", SharedCpus, has no annotation numaspark.io/pin",
  })
  void isWhatThePinnerSays(PinOutcome outcome, String reason, String message) {
    Diagnosis cause =
        new SharedPoolCause().of(pod("{}", "-", ""), RUNTIME, Optional.ofNullable(outcome));
    assertThat(cause.reason()).isEqualTo(reason);
    assertThat(cause.message()).contains(message);
  }

  @Test
  void isThePinnerIfItHasNotReportedThePod() {
    Pod pod = pod("{}", "-", "");
    pod.getMetadata().setAnnotations(Map.of("numaspark.io/pin", "p"));
    assertThat(new SharedPoolCause().of(pod, RUNTIME, Optional.empty()).message())
        .contains("PinnerConnected of SparkNodeTopology node-7");
  }

  private static Pod pod(String resources, String sidecar, String spec) {
    return Serialization.unmarshal(
        """
        kind: Pod
        metadata: {name: exec-1, namespace: ns}
        spec:
          nodeName: node-7
          %s
          containers: [{name: spark-kubernetes-executor, resources: %s}%s]
        """
            .formatted(spec, resources, sidecar.equals("-") ? "" : sidecar),
        Pod.class);
  }
}
