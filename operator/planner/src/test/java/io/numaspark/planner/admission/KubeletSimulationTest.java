package io.numaspark.planner.admission;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.admission.ContainerRequest.Role;
import io.numaspark.planner.admission.KubeletSimulation.Start;
import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sequences of pods on a machine of two sockets with 8 cores of two threads each, whose outcomes
 * were seen with the real kubelet packages. The recorded cases of oracles/kubelet hold all the
 * rest.
 */
class KubeletSimulationTest {

  @Test
  void theFifthExecutorIsRejectedAlthoughSixCpusAreFree() {
    KubeletSimulation kubelet = start(dualSocket().reservingCount(2));
    assertThat(outcomes(kubelet, 6, 6, 6, 6, 6))
        .containsExactly(
            "0:1-3,17-19", "0:4-6,20-22", "1:8-10,24-26", "1:11-13,27-29", "TopologyAffinityError");
    assertThat(kubelet.free())
        .extracting(free -> free.cpus().toString())
        .containsExactly("7,23", "14-15,30-31");
  }

  @Test
  void halfACoreIsNoExecutor() {
    KubeletSimulation kubelet = start(dualSocket().reservingCount(2));
    assertThat(kubelet.admit(PodRequest.guaranteed("p", 7, GIB)))
        .isEqualTo(
            new Admission.Rejected(
                "SMTAlignmentError",
                "SMT Alignment Error: requested 7 cpus not multiple cpus per core = 2"));
  }

  @Test
  void siblingsOfReservedThreadsAreGivenAway() {
    KubeletSimulation kubelet = start(dualSocket().reserving("0-1"));
    assertThat(outcomes(kubelet, 14)).containsExactly("0:2-7,16-23");
  }

  @Test
  void aFullNumaNodeOfMemoryIsAnUnexpectedAdmissionError() {
    KubeletSimulation kubelet = start(dualSocket().reservingCount(2).reservingMemory(4 * GIB));
    List<Admission> all =
        IntStream.range(0, 13)
            .mapToObj(i -> kubelet.admit(PodRequest.guaranteed("p" + i, 2, 20 * GIB)))
            .toList();
    assertThat(all.subList(0, 12)).allMatch(Admission.Admitted.class::isInstance);
    assertThat(all.get(12)).isInstanceOf(Admission.Rejected.class);
    assertThat(((Admission.Rejected) all.get(12)).reason()).isEqualTo("UnexpectedAdmissionError");
  }

  @Test
  void firstFitMakesTheOrderOfAdmissionMatter() {
    assertThat(outcomes(start(dualSocket().reservingCount(2)), 8, 14, 8))
        .containsExactly("0:1-4,17-20", "1:8-14,24-30", "TopologyAffinityError");
    assertThat(outcomes(start(dualSocket().reservingCount(2)), 14, 8, 8))
        .containsExactly("0:1-7,17-23", "1:8-11,24-27", "1:12-15,28-31");
  }

  @Test
  void withoutTopologyManagerExecutorsSpanSockets() {
    KubeletSimulation kubelet =
        start(dualSocket().reservingCount(2).with(TopologyManagerPolicy.NONE));
    assertThat(outcomes(kubelet, 10, 10)).containsExactly("0:1-5,17-21", "0,1:6-10,22-26");
  }

  @Test
  void anInitContainerTakesTheLastCpuOfTheFirstNumaNodeInScopeContainer() {
    Stream.of(TopologyManagerScope.CONTAINER, TopologyManagerScope.POD)
        .forEach(
            scope -> {
              KubeletSimulation kubelet =
                  start(
                      machine(Topologies.dualSocketHt())
                          .without("full-pcpus-only")
                          .reservingCount(2)
                          .reservingMemory(GIB)
                          .with(scope));
              Admission first = kubelet.admit(withInit("a", 1, 13));
              Admission second = kubelet.admit(withInit("b", 1, 13));
              assertThat(first).isInstanceOf(Admission.Admitted.class);
              assertThat(second)
                  .isInstanceOf(
                      scope == TopologyManagerScope.POD
                          ? Admission.Admitted.class
                          : Admission.Rejected.class);
            });
  }

  @Test
  void aRemainderThatCannotBeHandedOutIsUndefined() {
    KubeletSimulation kubelet =
        start(
            machine(TopologyBuilder.sockets(2).numaNodesPerSocket(2).cores(4).threads(2).build())
                .with("distribute-cpus-across-numa")
                .with(TopologyManagerPolicy.BEST_EFFORT)
                .reserving("0,4,8,12")
                .reservingMemory(GIB));
    // The real kubelet loops for ever: seven threads are free on each of four NUMA nodes.
    assertThat(kubelet.admit(PodRequest.guaranteed("p", 22, GIB)))
        .isInstanceOf(Admission.Undefined.class);
    assertThat(kubelet.admit(PodRequest.guaranteed("q", 20, GIB)))
        .isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void aLeavingPodGivesBackWhatItHad() {
    KubeletSimulation kubelet = start(dualSocket().reservingCount(2).reservingMemory(GIB));
    List<KubeletSimulation.FreeNumaNode> before = kubelet.free();
    kubelet.admit(withInit("a", 2, 4));
    assertThat(kubelet.free()).isNotEqualTo(before);
    assertThat(kubelet.remove("a")).isTrue();
    assertThat(kubelet.free()).isEqualTo(before);
    assertThat(kubelet.remove("a")).isFalse();
  }

  @Test
  void aPodCannotBeOnANodeTwice() {
    KubeletSimulation kubelet = start(dualSocket().reservingCount(2));
    kubelet.admit(PodRequest.guaranteed("a", 2, GIB));
    assertThatThrownBy(() -> kubelet.admit(PodRequest.guaranteed("a", 2, GIB)))
        .hasMessageContaining("pod a is on the node already");
  }

  private static MachineBuilder dualSocket() {
    return machine(Topologies.dualSocketHt()).reservingMemory(GIB);
  }

  private static KubeletSimulation start(MachineBuilder machine) {
    return ((Start.Started) KubeletSimulation.start(machine.build())).kubelet();
  }

  /** What becomes of pods with the given CPUs: NUMA nodes and CPUs, or the reason. */
  private static List<String> outcomes(KubeletSimulation kubelet, int... cpus) {
    return IntStream.range(0, cpus.length)
        .mapToObj(i -> kubelet.admit(PodRequest.guaranteed("pod" + i, cpus[i], GIB)))
        .map(KubeletSimulationTest::outcome)
        .toList();
  }

  private static String outcome(Admission admission) {
    if (admission instanceof Admission.Admitted admitted) {
      return admitted.numaNodes().toString().replaceAll("[\\[\\] ]", "")
          + ":"
          + admitted.containers().get("main");
    }
    return ((Admission.Rejected) admission).reason();
  }

  private static PodRequest withInit(String name, int initCpus, int cpus) {
    ResourceAmounts init = ResourceAmounts.of(initCpus, GIB);
    ResourceAmounts main = ResourceAmounts.of(cpus, GIB);
    return new PodRequest(
        name,
        List.of(
            new ContainerRequest("init", Role.INIT, init, init),
            new ContainerRequest("main", Role.APP, main, main)),
        false);
  }
}
