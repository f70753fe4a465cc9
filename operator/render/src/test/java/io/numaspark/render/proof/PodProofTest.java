package io.numaspark.render.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.plan.RuntimePinning;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.PinnedBy;
import io.numaspark.render.fixture.Machines;
import io.numaspark.render.proof.PodProof.Proof;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An executor with a sidecar, which numaspark did not create; its agent looked at 12:01:00. */
class PodProofTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:02:00Z");
  private static final Machine KUBELET = Machines.dualSocket();
  private static final Machine RUNTIME =
      new RuntimePinning(1, OptionalLong.empty(), PinnedBy.Memory.BIND)
          .pin(Machines.dualSocketWithDefaultKubelet());

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          has its CPUs          | 12:01:00 | cpus: '1-2,9-10', kernelCpus: '1-2,9-10', memoryNodes: '0', kernelMemoryNodes: '0' | True    | Pinned
          other number of CPUs  | 12:01:00 | cpus: '1,9', kernelCpus: '1,9', memoryNodes: '0', kernelMemoryNodes: '0'           | False   | OtherNumberOfCpus
          kernel says otherwise | 12:01:00 | cpus: '1-2,9-10', kernelCpus: '1-3,9-10', memoryNodes: '0', kernelMemoryNodes: '0' | False   | KernelDisagrees
          memory of both        | 12:01:00 | cpus: '1-2,9-10', kernelCpus: '1-2,9-10', kernelMemoryNodes: '0-1'                 | False   | MemorySpansNumaNodes
          silent agent          | 11:51:00 | cpus: '1-2,9-10', kernelCpus: '1-2,9-10'                                           | Unknown | NotReportedByAgent
          """)
  void theKubeletsAnswerIsJudged(
      String what, String heard, String entry, Pinned pinned, String reason) {
    Proof proof = proof(reports(heard, named(entry), ""), KUBELET);
    assertThat(proof.verdict().reason()).as(proof.verdict().message()).isEqualTo(reason);
    assertThat(proof.verdict().pinned()).isEqualTo(pinned);
  }

  @Test
  void evidenceIsWhatTheAgentSees() {
    Proof proof =
        proof(reports("12:01:00", named("cpus: '1-2,9-10', kernelMemoryNodes: '0'"), ""), KUBELET);
    assertThat(proof.evidence().cpus()).isEqualTo("1-2,9-10");
    assertThat(proof.evidence().memoryNodes()).isEqualTo("0");
  }

  @Test
  void withoutCpusOfItsOwnTheCauseIsFoundInThePod() {
    Proof proof = proof(reports("12:01:00", "", ""), KUBELET);
    assertThat(proof.verdict().reason()).isEqualTo("PodNotGuaranteed");
    assertThat(proof.verdict().message()).contains("container proxy has no cpu limit");
  }

  @Test
  void orInWhatThePinnerSays() {
    String pinner = "pinner: {executors: [{podUid: u-1, outcome: NoFreeSlot}]}";
    assertThat(proof(reports("12:01:00", "", pinner), RUNTIME).verdict().reason())
        .isEqualTo("NoFreeSlot");
    assertThat(proof(reports("12:01:00", "", ""), RUNTIME).verdict().message())
        .contains("no annotation numaspark.io/pin")
        .contains("numaspark inject");
  }

  @Test
  void aPodOfAnEarlierUidIsNotBelieved() {
    String earlier = named("cpus: '1-2,9-10', kernelCpus: '1-2,9-10'").replace("u-1", "u-0");
    assertThat(proof(reports("12:01:00", earlier, ""), KUBELET).verdict())
        .satisfies(verdict -> assertThat(verdict.pinned()).isEqualTo(Pinned.Unknown))
        .satisfies(verdict -> assertThat(verdict.message()).contains("an earlier pod"));
  }

  @Test
  void withoutNumaNodesNothingIsKnown() {
    AgentReports reports = reports("12:01:00", named("cpus: '1-2,9-10'"), "");
    SlotRequest slots = SlotRequest.of(pod()).orElseThrow();
    assertThat(
            new PodProof(reports).of(pod(), slots.container(), Optional.empty()).verdict().reason())
        .isEqualTo("NoTopology");
    assertThat(
            new PodProof(AgentReports.notLoaded())
                .of(pod(), slots.container(), Optional.of(KUBELET))
                .verdict()
                .reason())
        .isEqualTo("NotReportedByAgent");
  }

  private static Proof proof(AgentReports reports, Machine machine) {
    SlotRequest slots = SlotRequest.of(pod()).orElseThrow();
    assertThat(slots.profile()).isEqualTo("dual");
    assertThat(slots.container().getName()).isEqualTo("spark");
    return new PodProof(reports).of(pod(), slots.container(), Optional.of(machine));
  }

  private static String named(String entry) {
    return "{namespace: ns, pod: exec-1, container: spark, podUid: u-1, " + entry + "}";
  }

  private static AgentReports reports(String heard, String exclusive, String further) {
    SparkNodeTopology topology =
        Serialization.unmarshal(
            """
            metadata: {name: n}
            status:
              heartbeat: "2026-01-01T%sZ"
              exclusive: [%s]
              conditions: [{type: PinningRead, status: 'True'}]
              %s
            """
                .formatted(heard, exclusive, further),
            SparkNodeTopology.class);
    return AgentReports.of(node -> Optional.of(topology).filter(of -> node.equals("n")), NOW);
  }

  private static Pod pod() {
    return Serialization.unmarshal(
        """
        kind: Pod
        metadata: {name: exec-1, namespace: ns, uid: u-1, labels: {spark-role: executor}}
        spec:
          nodeName: n
          containers:
          - {name: proxy, resources: {requests: {cpu: 100m}}}
          - name: spark
            resources:
              requests: {cpu: 4, memory: 2Gi, slots.numaspark.io/dual: 1}
              limits: {cpu: 4, memory: 2Gi, slots.numaspark.io/dual: 1}
        status:
          phase: Running
          containerStatuses:
          - {name: proxy, containerID: "containerd://c-9", state: {running: {startedAt: "2026-01-01T11:50:00Z"}}}
          - {name: spark, containerID: "containerd://c-1", state: {running: {startedAt: "2026-01-01T11:50:00Z"}}}
        """,
        Pod.class);
  }
}
