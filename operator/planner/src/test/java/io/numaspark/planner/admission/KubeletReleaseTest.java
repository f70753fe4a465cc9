package io.numaspark.planner.admission;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which version a kubelet is predicted by; what the versions do is compared in OracleReplayTest.
 */
class KubeletReleaseTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.36 | 1.36 | ''",
        "1.32 | 1.32 | ''",
        "''   | 1.37 | ''",
        "1.31 | 1.32 | predictions for kubelet 1.31 are those of 1.32, the oldest that is modelled",
        "1.38 | 1.37 | predictions for kubelet 1.38 are those of 1.37, the newest that is modelled",
        "0.99 | 1.32 | predictions for kubelet 0.99 are those of 1.32, the oldest that is modelled",
        "2.0  | 1.37 | predictions for kubelet 2.0 are those of 1.37, the newest that is modelled"
      })
  void theNearestVersionPredicts(String version, String row, String note) {
    KubeletSettings kubelet = kubelet(dualSocket().withKubelet(version));
    assertThat(KubeletRelease.of(kubelet).version()).hasToString(row);
    assertThat(KubeletRelease.notCovered(kubelet).orElse("")).isEqualTo(note);
  }

  /** policy_options.go of cpumanager and topologymanager. */
  @ParameterizedTest
  @CsvSource({
    "1.32, full-pcpus-only, ",
    "1.32, strict-cpu-reservation, CPUManagerPolicyAlphaOptions",
    "1.33, strict-cpu-reservation, ",
    "1.33, prefer-align-cpus-by-uncorecache, CPUManagerPolicyAlphaOptions",
    "1.34, prefer-align-cpus-by-uncorecache, ",
    "1.32, distribute-cpus-across-numa, CPUManagerPolicyAlphaOptions",
    "1.37, align-by-socket, CPUManagerPolicyAlphaOptions",
    "1.32, max-allowable-numa-nodes, "
  })
  void anOptionNeedsTheGateOfItsStage(String version, String option, String gate) {
    KubeletSettings kubelet = kubelet(dualSocket().withKubelet(version));
    assertThat(KubeletRelease.of(kubelet).missingGate(kubelet, option).orElse(null))
        .isEqualTo(gate);
  }

  @ParameterizedTest
  @CsvSource({
    "1.34, CPUManagerPolicyBetaOptions, prefer-align-cpus-by-uncorecache, true",
    "1.36, CPUManagerPolicyBetaOptions, prefer-align-cpus-by-uncorecache, false",
    "1.34, TopologyManagerPolicyBetaOptions, max-allowable-numa-nodes, true",
    "1.35, TopologyManagerPolicyBetaOptions, max-allowable-numa-nodes, false",
    "1.32, CPUManagerPolicyOptions, full-pcpus-only, true"
  })
  void aGateThatIsOffTakesItsOptions(String version, String gate, String option, boolean taken) {
    KubeletSettings kubelet =
        kubelet(dualSocket().withKubelet(version).withFeatureGate(gate, false));
    assertThat(KubeletRelease.of(kubelet).missingGate(kubelet, option).isPresent())
        .isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "1.32, CPUManager, true, ",
    "1.33, CPUManager, true, OPTION_INVALID",
    "1.35, MemoryManager, true, ",
    "1.36, MemoryManager, true, OPTION_INVALID",
    "1.32, CPUManagerPolicyOptions, true, ",
    "1.33, CPUManagerPolicyOptions, false, OPTION_INVALID",
    "1.33, PodLevelResources, true, NOT_COVERED",
    "1.34, PodLevelResources, true, ",
    "1.35, PodLevelResources, false, ",
    "1.36, PodLevelResources, false, OPTION_INVALID",
    "1.35, PodLevelResourceManagers, false, OPTION_INVALID",
    "1.36, PodLevelResourceManagers, false, ",
    "1.37, PodLevelResourceManagers, true, NOT_COVERED",
    "1.37, PodLevelResourcesFixDefaulting, true, "
  })
  void featureGatesComeAndGo(String version, String gate, boolean on, String problem) {
    Machine machine =
        dualSocket()
            .without(KubeletSettings.FULL_PCPUS_ONLY)
            .withKubelet(version)
            .withFeatureGate(gate, on)
            .build();
    assertThat(StartChecks.problems(machine))
        .extracting(found -> found.kind().name())
        .isEqualTo(problem == null ? List.of() : List.of(problem));
  }

  /** Before 1.34 the API server drops spec.resources, and the kubelet does not see it. */
  @ParameterizedTest
  @CsvSource({
    "1.33, , admitted with CPUs",
    "1.34, , admitted without",
    "1.35, false, PodLevelResourcesNotSupported",
    "1.33, false, admitted with CPUs"
  })
  void podLevelResources(String version, Boolean gate, String outcome) {
    MachineBuilder machine = dualSocket().withKubelet(version);
    if (gate != null) {
      machine.withFeatureGate("PodLevelResources", gate);
    }
    KubeletSimulation kubelet =
        ((KubeletSimulation.Start.Started) KubeletSimulation.start(machine.build())).kubelet();
    PodRequest pod =
        new PodRequest("a", PodRequest.guaranteed("a", 2, 1L << 30).containers(), true);
    assertThat(described(kubelet.admit(pod))).isEqualTo(outcome);
  }

  private static String described(Admission admission) {
    if (admission instanceof Admission.Admitted admitted) {
      return admitted.containers().isEmpty() ? "admitted without" : "admitted with CPUs";
    }
    return ((Admission.Rejected) admission).reason();
  }

  @Test
  void theTableHasNoGap() {
    assertThat(KubeletRelease.oldest()).hasToString("1.32");
    assertThat(KubeletRelease.newest()).hasToString("1.37");
  }

  private static KubeletSettings kubelet(MachineBuilder machine) {
    return machine.build().kubelet();
  }

  private static MachineBuilder dualSocket() {
    return machine(Topologies.dualSocketHt()).reserving("0,16");
  }
}
