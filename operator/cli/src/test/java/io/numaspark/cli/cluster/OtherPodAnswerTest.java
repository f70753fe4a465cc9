package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedPins;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The agent of node a looked at 12:01:00, a minute after the containers had started. */
class OtherPodAnswerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:02:00Z");
  private static final String SLOT = ", slots.numaspark.io/dual: 1";
  private static final String PINNED =
      "{namespace: team, pod: e-1, container: main, podUid: u-1, cpus: '1,9', kernelCpus: '1,9', memoryNodes: '0', kernelMemoryNodes: '0',"
          + " localMemoryPercent: 98, throttledPercent: 0}";

  @Test
  void anExecutorOfOthersIsProvenByItsAgent() {
    PodDocument answer =
        answer(
            executor(SLOT, "numaspark.io/injection: the executor keeps its size and has 1 slot"),
            PINNED);
    assertThat(answer.text())
        .isEqualTo(
            """
            Executor 7 of Spark application spark-1 is pinned
              Node: a
              Pinned by: the kubelet
              CPUs: 1,9
              NUMA node: 0
              Memory nodes: 0
              Memory on its own NUMA nodes, percent: 98
              Periods in which it waited for CPU quota, percent: 0
              Source of these facts: Agent
              Injected: the executor keeps its size and has 1 slot
            """);
    assertThat(answer.pinned()).isEqualTo(Pinned.True);
    assertThat(answer.role()).isEqualTo("Executor");
    assertThat(answer.reason()).isEqualTo("Pinned");
  }

  @Test
  void oneWithASlotThatIsNotPinnedSaysWhy() {
    PodDocument answer = answer(executor(SLOT, ""), PINNED.replace("'1,9'", "'1-2'"));
    assertThat(answer.lines().get(0))
        .startsWith("Executor 7 of Spark application spark-1 is not pinned: PartialCores, ");
    assertThat(answer.lines()).contains("CPUs: 1-2").doesNotContain("Pinned by: the kubelet");
    assertThat(answer.pinned()).isEqualTo(Pinned.False);
    assertThat(answer(executor(SLOT, ""), "").lines().get(0))
        .contains("is not pinned: SharedCpus, it has not got 2 of its own");
  }

  @Test
  void whereTheRuntimePinsItsPinnerSaysWhy() {
    SparkNodeTopology topology =
        topology("", "pinner: {executors: [{podUid: u-1, outcome: NoFreeSlot}]}");
    topology.setSpec(
        topology
            .getSpec()
            .withPins(
                new WantedPins(
                    "dual", "1", WantedPins.Mode.Pin, PinningSpec.Memory.Bind, "0,8", List.of())));
    PodDocument answer =
        OtherPodAnswer.of(executor(SLOT, "numaspark.io/pin: dual"), Optional.of(topology), NOW);
    assertThat(answer.lines().get(0)).contains("is not pinned: NoFreeSlot");
  }

  @Test
  void aSilentAgentLeavesItUnknown() {
    SparkNodeTopology topology = topology(PINNED, "");
    PodDocument answer =
        OtherPodAnswer.of(executor(SLOT, ""), Optional.of(topology), NOW.plusSeconds(3600));
    assertThat(answer.pinned()).isEqualTo(Pinned.Unknown);
    assertThat(answer.lines().get(0))
        .contains("is not known to be pinned: NotReportedByAgent, the agent of node a is silent");
  }

  @Test
  void oneThatWasLeftAsItIsSaysWhatToChange() {
    PodDocument answer =
        answer(executor("", "numaspark.io/not-injected: 'spark.executor.memory: set 2g'"), "");
    assertThat(answer.text())
        .isEqualTo(
            """
            Executor 7 of Spark application spark-1 is not pinned: the webhook left it as it is
              Left as it is: spark.executor.memory: set 2g
            """);
    assertThat(answer.reason()).isEqualTo("NotInjected");
    assertThat(answer.pinned()).isEqualTo(Pinned.False);
  }

  /** A static kubelet gives CPUs to each Guaranteed pod with whole CPUs. */
  @Test
  void anyPodWithCpusOfItsOwnIsProven() {
    Pod pod = executor("", "");
    pod.getMetadata().setLabels(null);
    PodDocument answer = answer(pod, PINNED);
    assertThat(answer.lines()).startsWith("Pod e-1 is pinned", "Node: a", "Pinned by: the kubelet");
    assertThat(answer.role()).isEqualTo("Pod");
    assertThat(answer.pinned()).isEqualTo(Pinned.True);
  }

  @Test
  void eachContainerWithCpusOfItsOwnIsProven() {
    Pod pod = executor("", "");
    pod.getMetadata().setLabels(null);
    Pod both = Serialization.clone(pod);
    both.getSpec().getContainers().add(Serialization.clone(pod.getSpec().getContainers().get(0)));
    both.getSpec().getContainers().get(1).setName("second");
    both.getStatus()
        .getContainerStatuses()
        .add(Serialization.clone(pod.getStatus().getContainerStatuses().get(0)));
    both.getStatus().getContainerStatuses().get(1).setName("second");
    PodDocument answer =
        answer(
            both,
            PINNED
                + ", "
                + PINNED.replace("container: main", "container: second").replace("'1,9'", "'2-3'"));
    assertThat(answer.lines())
        .contains("Container main of pod e-1 is pinned")
        .anyMatch(
            line -> line.startsWith("Container second of pod e-1 is not pinned: PartialCores, "));
    assertThat(answer.pinned()).isEqualTo(Pinned.False);
  }

  @Test
  void ofAnotherPodTheKubeletsAnswerIsPredicted() {
    Optional<SparkNodeTopology> topology = Optional.of(Seen.topology("a", ""));
    PodDocument whole = OtherPodAnswer.of(Seen.pod("web", "app: web", "2", "a"), topology, NOW);
    assertThat(whole.reason()).isEqualTo("WouldBePinned");
    assertThat(whole.lines().get(0)).contains("is not an executor of numaspark");
    PodDocument fraction =
        OtherPodAnswer.of(Seen.pod("web", "app: web", "1500m", "a"), topology, NOW);
    assertThat(fraction.reason()).isEqualTo("CpuNotWhole");
    assertThat(fraction.pinned()).isEqualTo(Pinned.False);
    assertThat(fraction.text()).contains("Remedy: request a multiple of 2 CPUs");
    PodDocument nowhere =
        OtherPodAnswer.of(Seen.pod("web", "app: web", "2", "z"), Optional.empty(), NOW);
    assertThat(nowhere.reason()).isEqualTo("NoTopology");
    assertThat(nowhere.lines().get(0)).contains("node z, whose topology is unknown");
  }

  @Test
  void whatTheAgentHasSeenGoesBeforeAPrediction() {
    Pod pod = executor("", "");
    pod.getMetadata().setLabels(null);
    PodDocument answer = answer(pod, "");
    assertThat(answer.lines().get(0))
        .isEqualTo(
            "Pod e-1 has no CPUs of its own, as the agent of node a reports, and an empty node like a would pin it.");
    assertThat(answer.pinned()).isEqualTo(Pinned.False);
  }

  private static PodDocument answer(Pod pod, String exclusive) {
    return OtherPodAnswer.of(pod, Optional.of(topology(exclusive, "")), NOW);
  }

  private static SparkNodeTopology topology(String exclusive, String further) {
    return Seen.topology(
        "a",
        """
        status:
          heartbeat: "2026-01-01T12:01:00Z"
          conditions: [{type: PinningRead, status: "True"}]
          exclusive: [%s]
          %s
        """
            .formatted(exclusive, further));
  }

  private static Pod executor(String slot, String annotations) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          namespace: team
          name: e-1
          uid: u-1
          labels: {spark-role: executor, spark-app-selector: spark-1, spark-exec-id: "7"}
          annotations: {%s}
        spec:
          nodeName: a
          containers:
          - name: main
            resources: {requests: {cpu: 2, memory: 1Gi%s}, limits: {cpu: 2, memory: 1Gi%s}}
        status:
          phase: Running
          containerStatuses:
          - {name: main, containerID: "containerd://c-1", state: {running: {startedAt: "2026-01-01T12:00:00Z"}}}
        """
            .formatted(annotations, slot, slot),
        Pod.class);
  }
}
