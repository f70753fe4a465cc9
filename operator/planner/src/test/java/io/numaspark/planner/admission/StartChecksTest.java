package io.numaspark.planner.admission;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.admission.StartProblem.Kind;
import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FindingsTest holds the single problems; here are their order, and what is not a problem. */
class StartChecksTest {

  @Test
  void allProblemsComeInTheOrderOfTheKubelet() {
    Machine machine =
        machine(TopologyBuilder.sockets(3).numaNodesPerSocket(6).cores(12).build())
            .withFeatureGate("MemoryManagerPolicy")
            .withFeatureGate("PodLevelResourceManagers")
            .withTopologyOption("max-allowable-numa-nodes", "many")
            .with("align-by-socket", "perhaps")
            .with("distribute-cpus-across-numa")
            .with("no-such-option")
            .with("prefer-align-cpus-by-uncorecache")
            .reserving("999")
            .reservingMemory(18, Long.MAX_VALUE)
            .reservingMemory(19, Long.MAX_VALUE)
            .build();
    assertThat(StartChecks.problems(machine))
        .extracting(problem -> problem.kind() + " " + problem.field())
        .containsExactly(
            "OPTION_INVALID spec.kubelet.featureGates.MemoryManagerPolicy",
            "NOT_COVERED spec.kubelet.featureGates.PodLevelResourceManagers",
            "RESERVED_CPUS_OFFLINE spec.kubelet.reservedCpus",
            "OPTION_INVALID spec.kubelet.topologyManagerPolicyOptions.max-allowable-numa-nodes",
            "TOO_MANY_NUMA_NODES spec.kubelet.topologyManagerPolicyOptions.max-allowable-numa-nodes",
            "NOT_COVERED spec.numaNodes",
            "FEATURE_GATE_OFF spec.kubelet.cpuManagerPolicyOptions.align-by-socket",
            "OPTION_INVALID spec.kubelet.cpuManagerPolicyOptions.align-by-socket",
            "OPTION_INVALID spec.kubelet.cpuManagerPolicyOptions.no-such-option",
            "OPTIONS_CONFLICT spec.kubelet.cpuManagerPolicyOptions",
            "RESERVED_MEMORY_INVALID spec.kubelet.reservedMemory[18]",
            "RESERVED_MEMORY_INVALID spec.kubelet.reservedMemory[19]",
            "RESERVED_MEMORY_TOO_LARGE spec.kubelet.reservedMemory");
    assertThat(KubeletSimulation.start(machine))
        .isEqualTo(new KubeletSimulation.Start.Refused(StartChecks.problems(machine).get(0)));
  }

  @Test
  void reservedCpusMustBeOnlineWhateverTheCpuManagersPolicy() {
    assertThat(
            StartChecks.problems(
                dualSocket()
                    .without(KubeletSettings.FULL_PCPUS_ONLY)
                    .with(CpuManagerPolicy.NONE)
                    .reserving("999")
                    .build()))
        .extracting(StartProblem::kind)
        .containsExactly(StartProblem.Kind.RESERVED_CPUS_OFFLINE);
  }

  static Stream<Arguments> startingMachines() {
    return Stream.of(
        Arguments.of(
            "an alpha option with its gate",
            dualSocket()
                .without(KubeletSettings.FULL_PCPUS_ONLY)
                .with("distribute-cpus-across-cores", "T")
                .withFeatureGate("CPUManagerPolicyAlphaOptions")),
        Arguments.of(
            "options that exclude each other, one of them off",
            dualSocket()
                .with("prefer-align-cpus-by-uncorecache")
                .with("distribute-cpus-across-numa", "0")),
        Arguments.of(
            "align-by-socket under best-effort",
            dualSocket()
                .with(TopologyManagerPolicy.BEST_EFFORT)
                .with("align-by-socket")
                .withFeatureGate("CPUManagerPolicyAlphaOptions")),
        Arguments.of(
            "a gate that none of these managers has", dualSocket().withFeatureGate("NodeSwap")),
        Arguments.of(
            "no manager at all",
            machine(TopologyBuilder.sockets(4).numaNodesPerSocket(16).cores(2).build())
                .with(CpuManagerPolicy.NONE)
                .without(KubeletSettings.FULL_PCPUS_ONLY)
                .with(TopologyManagerPolicy.NONE)
                .withTopologyOption("max-allowable-numa-nodes", "many")
                .with(MemoryManagerPolicy.NONE)
                .reservingMemory(99, GIB)),
        Arguments.of("all memory reserved", dualSocket().reservingMemory(128 * GIB)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("startingMachines")
  void startsWith(String state, MachineBuilder machine) {
    assertThat(StartChecks.problems(machine.build())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8", "+16", "0016", "9223372036854775807"})
  void takesNumbersAsGoReadsThem(String number) {
    assertThat(StartChecks.problems(allowing(number))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "-16",
        " 16",
        "16.0",
        "0x10",
        "1_6",
        "\u0661\u0666",
        "9223372036854775808"
      })
  void refusesOtherNumbers(String number) {
    assertThat(StartChecks.problems(allowing(number)))
        .extracting(StartProblem::kind)
        .containsExactly(Kind.OPTION_INVALID);
  }

  private static Machine allowing(String numaNodes) {
    return dualSocket().withTopologyOption("max-allowable-numa-nodes", numaNodes).build();
  }

  private static MachineBuilder dualSocket() {
    return machine(Topologies.dualSocketHt()).reserving("0,16");
  }
}
