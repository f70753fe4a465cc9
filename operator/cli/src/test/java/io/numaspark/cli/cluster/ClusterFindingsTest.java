package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.cli.DoctorDocument;
import io.numaspark.cli.DoctorDocument.Entry;
import io.numaspark.cli.DoctorTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterFindingsTest {
  @Test
  void theWorstComesFirst() {
    DoctorDocument document =
        ClusterFindings.of(
            List.of(
                Seen.profile(
                    "dual",
                    """
                    status:
                      nodeClasses:
                      - name: a
                        nodes: 3
                        findings:
                        - {severity: Info, reason: BetterReservation, message: could be better, remedy: reserve others}
                      unusableNodes:
                      - {name: b, reason: NoTopology, message: nobody has described it; start an agent}
                      withheldNodes:
                      - {name: c, reason: TopologyAffinityError, rejections: 4, since: "2026-01-01T12:00:00Z"}
                      conditions:
                      - {type: Ready, status: "True", reason: SlotsAvailable, message: well}
                      - {type: KnobsApplied, status: "False", reason: KnobsDrifted, message: somebody changes them}
                    """)),
            List.of());
    assertThat(document.summary()).isEqualTo("1 profile and 0 applications");
    assertThat(document.findings())
        .extracting(Entry::severity, Entry::reason, Entry::nodes)
        .containsExactly(
            tuple("Error", "NoTopology", List.of("b")),
            tuple("Warning", "KnobsDrifted", List.of()),
            tuple("Warning", "TopologyAffinityError", List.of("c")),
            tuple("Info", "BetterReservation", List.of("a")));
    assertThat(document.findings().get(3).message())
        .isEqualTo("could be better (and on 2 more like it)");
    assertThat(document.errors()).isEqualTo(1);
    assertThat(document.warnings()).isEqualTo(2);
    assertThat(document.infos()).isEqualTo(1);
  }

  @Test
  void aProfileThatWaitsForItsFirstNodeIsNoError() {
    String waiting =
        """
        status:
          nodes: {matched: %d, usable: 0, unusable: %d}
          executor: {cores: 2}
          conditions:
          - {type: Ready, status: "False", reason: %s, message: m}
        """;
    SparkNodeProfile none = Seen.profile("dual", waiting.formatted(0, 0, "NoNodeYet"));
    SparkNodeProfile broken = Seen.profile("dual", waiting.formatted(1, 1, "NoTopology"));
    SparkNodeProfileSpec templates =
        Serialization.unmarshal("nodeTemplates: [m6i]", SparkNodeProfileSpec.class);
    none.setSpec(templates);
    broken.setSpec(templates);
    assertThat(ClusterFindings.of(List.of(none, broken), List.of()).findings())
        .extracting(Entry::severity, Entry::reason)
        .containsExactly(tuple("Error", "NoTopology"), tuple("Info", "NoNodeYet"));
  }

  @Test
  void whatCostsMoreSlotsComesFirstAndAPinnerThatDoesNotWorkIsAnError() {
    DoctorDocument document =
        ClusterFindings.of(
            List.of(
                Seen.profile(
                    "dual",
                    """
                    status:
                      nodeClasses:
                      - {name: a, nodes: 3, cpus: 16, slotsLacking: 1, strandedCpus: 0-3, findings: [{severity: Error, reason: OfflineSibling, message: m, remedy: r}]}
                      - {name: b, nodes: 2, cpus: 48, slotsLacking: 4, strandedCpus: 0-47, findings: [{severity: Error, reason: CpuManagerNotStatic, message: m, remedy: r}]}
                      - {name: c, nodes: 1, cpus: 8, slotsLacking: 0, strandedCpus: 0-1, findings: [{severity: Info, reason: BetterReservation, message: m, remedy: r}]}
                      - {name: d, nodes: 4, cpus: 8, slotsLacking: 0, strandedCpus: "0", findings: [{severity: Info, reason: MemoryLimitsSlots, message: m, remedy: r}]}
                      conditions:
                      - {type: PinnersConnected, status: "False", reason: PinnerNotConnected, message: it is off}
                    """)),
            List.of());
    assertThat(document.findings())
        .extracting(Entry::severity, Entry::reason, Entry::slots, Entry::strandedCpus, Entry::cpus)
        .containsExactly(
            tuple("Error", "CpuManagerNotStatic", 8, 96, 96),
            tuple("Error", "OfflineSibling", 3, 12, 48),
            tuple("Error", "PinnerNotConnected", null, null, null),
            tuple("Info", "MemoryLimitsSlots", null, 4, 32),
            tuple("Info", "BetterReservation", null, 2, 8));
    assertThat(DoctorTable.print(document)).contains("with 96 CPUs, costs 8 slots");
  }

  @Test
  void executorsThatAreNotPinnedAreToldOnceForEachReason() {
    DoctorDocument document =
        ClusterFindings.of(
            List.of(),
            List.of(
                Seen.application(
                    "etl",
                    "nodeProfile: dual",
                    "applicationState: {state: RUNNING}, executors: ["
                        + "{pod: e-1, node: b, phase: Running, pinned: \"False\", reason: SharedCpus, message: it shares},"
                        + "{pod: e-2, node: a, phase: Running, pinned: \"False\", reason: SharedCpus, message: it shares},"
                        + "{pod: e-3, node: a, phase: Gone, pinned: \"False\", reason: SharedCpus, message: it shared},"
                        + "{pod: e-4, node: a, phase: Running, pinned: \"True\", reason: Pinned}]")));
    assertThat(document.findings()).hasSize(1);
    assertThat(DoctorTable.print(document))
        .contains("Error SharedCpus: SparkApplication team/etl on 2 nodes (a, b)")
        .contains("2 executors are not pinned, such as e-1: it shares");
  }

  @Test
  void applicationsThatFailedOrWaitSayWhy() {
    DoctorDocument document =
        ClusterFindings.of(
            List.of(),
            List.of(
                Seen.application(
                    "bad",
                    "",
                    "applicationState: {state: FAILED, errorMessage: exit code 1},"
                        + " conditions: [{type: Ready, status: \"False\", reason: DriverFailed, message: m}]"),
                Seen.application(
                    "waits",
                    "",
                    "applicationState: {state: SUBMITTED, waitingSince: now, errorMessage: no slots}"),
                Seen.application("well", "", "applicationState: {state: RUNNING}"),
                Seen.application("new", "", "")));
    assertThat(document.findings())
        .extracting(Entry::severity, Entry::reason, Entry::message)
        .containsExactly(
            tuple("Error", "DriverFailed", "it is FAILED: exit code 1"),
            tuple("Warning", "SUBMITTED", "it waits: no slots"));
  }

  @Test
  void aProfileThatNobodyLooksAtTellsThatTheOperatorIsMissing() {
    DoctorDocument document = ClusterFindings.of(List.of(Seen.profile("dual", "")), List.of());
    assertThat(document.findings()).extracting(Entry::reason).containsExactly("NoStatus");
    assertThat(document.findings().get(0).remedy()).contains("kubectl get pods");
  }
}
