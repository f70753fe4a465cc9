package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.exactly;
import static io.numaspark.planner.plan.Finding.Severity.ERROR;
import static io.numaspark.planner.plan.Finding.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class FindingsTest {

  private static MachineBuilder healthy() {
    return machine(Topologies.dualSocketHt()).reserving("0,16");
  }

  static Stream<Arguments> findings() {
    return Stream.of(
        one(
            healthy().with(CpuManagerPolicy.NONE),
            ERROR,
            "CpuManagerNotStatic",
            "the kubelet's cpuManagerPolicy is none: no container gets exclusive CPUs"),
        one(
            healthy().with(TopologyManagerPolicy.BEST_EFFORT),
            ERROR,
            "TopologyManagerNotSingleNumaNode",
            "the kubelet's topologyManagerPolicy is best-effort:"
                + " an executor may get CPUs of several NUMA nodes"),
        one(
            healthy().with(TopologyManagerScope.CONTAINER),
            WARNING,
            "TopologyManagerScopeNotPod",
            "the kubelet's topologyManagerScope is container:"
                + " containers of one pod may land on different NUMA nodes"),
        one(
            healthy().with(MemoryManagerPolicy.NONE),
            WARNING,
            "MemoryManagerNotStatic",
            "the kubelet's memoryManagerPolicy is None: memory is local only by first touch,"
                + " and nobody counts it per NUMA node"),
        one(
            healthy().without(KubeletSettings.FULL_PCPUS_ONLY),
            WARNING,
            "FullPcpusOnlyOff",
            "the kubelet's CPU manager option full-pcpus-only is off:"
                + " another pod with an odd number of CPUs can share a core with an executor"),
        one(
            machine(Topologies.dualSocketHt()),
            ERROR,
            "NoCpuReservation",
            "no CPU is reserved for the system:"
                + " a kubelet with cpuManagerPolicy static does not start"),
        one(
            machine(Topologies.dualSocketHt()).reserving("0,16,32-33"),
            ERROR,
            "ReservedCpusOffline",
            "the reserved CPUs 32-33 are not online on this node (0-31)"),
        one(
            machine(Topologies.dualSocketHt()).reserving("16"),
            WARNING,
            "LoneReservedThread",
            "of core 0,16 only 16 is reserved: the rest of the core is of no use to executors"),
        one(
            machine(Topologies.oneSiblingOffline()).reserving("0,8"),
            ERROR,
            "OfflineSibling",
            "the cores have different numbers of online threads:"
                + " the kubelet then gives the same CPU to two pods (kubernetes issue 124066)"),
        one(
            machine(Topologies.withMemoryNode(252)).reserving("0,16"),
            ERROR,
            "NumaIdTooLarge",
            "NUMA node id 252 is above 63: the kubelet's topology manager panics"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("findings")
  void findsOneThing(Machine machine, Severity severity, String reason, String message) {
    assertThat(Findings.of(machine, exactly(2)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(severity);
              assertThat(finding.reason().displayName()).isEqualTo(reason);
              assertThat(finding.message()).isEqualTo(message);
              assertThat(finding.remedy()).isNotBlank();
            });
  }

  @Test
  void findsNothingOnAMachineSetUpForPinning() {
    assertThat(Findings.of(healthy().build(), exactly(2))).isEmpty();
    assertThat(
            Findings.of(
                machine(Topologies.withMemoryNode(63)).reserving("0,16").build(), exactly(2)))
        .isEmpty();
  }

  @Test
  void withoutSmtNothingIsSaidAboutWholeCores() {
    Machine machine =
        machine(Topologies.singleSocketNoSmt())
            .reserving("0")
            .without(KubeletSettings.FULL_PCPUS_ONLY)
            .build();
    assertThat(Findings.of(machine, exactly(2, SmtMode.DISABLED))).isEmpty();
  }

  @Test
  void smtWhereTheProfileExpectsNoneIsAnError() {
    assertThat(Findings.of(healthy().build(), exactly(2, SmtMode.DISABLED)))
        .containsExactly(
            new Finding(
                ERROR,
                Reason.SMT_NOT_DISABLED,
                "the profile says spec.smt.mode: Disabled, but cores have 2 threads",
                "switch SMT off on the node, or set spec.smt.mode to Isolated or Shared"));
  }

  @ParameterizedTest
  @EnumSource(
      value = TopologyManagerPolicy.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "SINGLE_NUMA_NODE")
  void everyOtherTopologyPolicyIsAnError(TopologyManagerPolicy policy) {
    assertThat(Findings.of(healthy().with(policy).build(), exactly(2)))
        .extracting(Finding::severity)
        .containsExactly(ERROR);
  }

  @Test
  void eachLoneThreadIsNamed() {
    Machine machine = machine(Topologies.dualSocketHt()).reserving("0-2,16").build();
    assertThat(Findings.of(machine, exactly(2)))
        .extracting(Finding::remedy)
        .containsExactly(
            "reserve all threads of a core: 1,17, or none",
            "reserve all threads of a core: 2,18, or none");
  }

  @Test
  void remediesNameTheFieldsToChange() {
    Machine machine =
        machine(Topologies.dualSocketHt())
            .reserving("0,16")
            .with(CpuManagerPolicy.NONE)
            .with(TopologyManagerPolicy.NONE)
            .with(TopologyManagerScope.CONTAINER)
            .with(MemoryManagerPolicy.NONE)
            .without(KubeletSettings.FULL_PCPUS_ONLY)
            .build();
    assertThat(Findings.of(machine, exactly(2)))
        .extracting(Finding::remedy)
        .satisfiesExactly(
            remedy -> assertThat(remedy).contains("cpuManagerPolicy: static", "cpu_manager_state"),
            remedy -> assertThat(remedy).contains("topologyManagerPolicy: single-numa-node"),
            remedy -> assertThat(remedy).contains("topologyManagerScope: pod"),
            remedy -> assertThat(remedy).contains("memoryManagerPolicy: Static", "reservedMemory"),
            remedy -> assertThat(remedy).contains("full-pcpus-only: \"true\""));
  }

  @Test
  void namesForPeopleAreCamelCase() {
    assertThat(Arrays.stream(Severity.values()).map(Severity::displayName))
        .containsExactly("Error", "Warning", "Info");
    assertThat(Arrays.stream(Reason.values()).map(Reason::displayName))
        .allMatch(name -> name.matches("([A-Z][a-z]+)+"))
        .doesNotHaveDuplicates();
  }

  private static Arguments one(
      MachineBuilder machine, Severity severity, String reason, String message) {
    return Arguments.of(machine.build(), severity, reason, message);
  }
}
