package io.numaspark.planner.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.numaspark.planner.admission.Admission;
import io.numaspark.planner.admission.ContainerRequest;
import io.numaspark.planner.admission.ContainerRequest.Role;
import io.numaspark.planner.admission.KubeletSimulation;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.admission.ResourceAmounts;
import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What pods hold, by their requests and by the kubelet's settings. */
class OccupantTest {
  private static final PodRequest WITH_INIT =
      pod(
          container("init", Role.INIT, "6", 700),
          container("proxy", Role.SIDECAR, "2", 10),
          container("main", Role.APP, "4", 400),
          container("fraction", Role.APP, "0.5", 50));

  private static MachineBuilder pinning() {
    return MachineBuilder.machine(Topologies.dualSocketHt()).reserving("0,16");
  }

  static Stream<Arguments> pods() {
    KubeletSettings usual = pinning().build().kubelet();
    KubeletSettings anyThread =
        pinning().without(KubeletSettings.FULL_PCPUS_ONLY).build().kubelet();
    KubeletSettings byCache =
        pinning().with(KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE).build().kubelet();
    KubeletSettings byContainer = pinning().with(TopologyManagerScope.CONTAINER).build().kubelet();
    KubeletSettings noMemory = pinning().with(MemoryManagerPolicy.NONE).build().kubelet();
    KubeletSettings noCpus = pinning().with(CpuManagerPolicy.NONE).build().kubelet();
    PodRequest burstable =
        pod(
            new ContainerRequest(
                "main", Role.APP, ResourceAmounts.of(4, 100), ResourceAmounts.of(8, 100)));
    PodRequest podLevel =
        new PodRequest("pod", List.of(container("main", Role.APP, "4", 100)), true);
    PodRequest halfBytes = pod(container("main", Role.APP, "1", "0.5"));
    PodRequest vast =
        pod(container("a", Role.APP, "1e9", "9e18"), container("b", Role.APP, "2e9", "9e18"));
    return Stream.of(
        row("one container", PodRequest.guaranteed("pod", 4, 100), usual, new Claim(4, 100)),
        row(
            "a fraction of a CPU",
            pod(container("main", Role.APP, "1.5", 100)),
            usual,
            new Claim(0, 100)),
        row("burstable", burstable, usual),
        row("with pod-level resources", podLevel, usual),
        row("init containers: the peak", WITH_INIT, usual, new Claim(6, 700)),
        row(
            "sidecars before init containers count beside them",
            sidecarFirst(),
            usual,
            new Claim(8, 710)),
        row(
            "any thread: CPUs of init containers may be others",
            WITH_INIT,
            anyThread,
            new Claim(12, 700)),
        row("by cache: the same", WITH_INIT, byCache, new Claim(12, 700)),
        row(
            "scope container",
            WITH_INIT,
            byContainer,
            new Claim(6, 700),
            new Claim(2, 10),
            new Claim(4, 400),
            new Claim(0, 50)),
        row("memory not counted", WITH_INIT, noMemory, new Claim(6, 0)),
        row("neither counted", pod(container("main", Role.APP, "1.5", 100)), noMemory),
        row("no exclusive CPUs", PodRequest.guaranteed("pod", 4, 100), noCpus, new Claim(0, 100)),
        row("half a byte", halfBytes, usual, new Claim(1, 1)),
        row("sums beyond 64 bits", vast, usual, new Claim(Integer.MAX_VALUE, Long.MAX_VALUE)));
  }

  private static Arguments row(
      String name, PodRequest pod, KubeletSettings kubelet, Claim... claims) {
    return Arguments.of(name, pod, kubelet, List.of(claims));
  }

  private static PodRequest sidecarFirst() {
    return pod(
        container("proxy", Role.SIDECAR, "2", 10),
        container("init", Role.INIT, "6", 700),
        container("main", Role.APP, "4", 400));
  }

  private static PodRequest pod(ContainerRequest... containers) {
    return new PodRequest("pod", List.of(containers), false);
  }

  private static ContainerRequest container(String name, Role role, String cpus, long bytes) {
    return container(name, role, cpus, String.valueOf(bytes));
  }

  private static ContainerRequest container(String name, Role role, String cpus, String bytes) {
    ResourceAmounts amounts =
        new ResourceAmounts(
            Optional.of(new BigDecimal(cpus)), Optional.of(new BigDecimal(bytes)), new TreeMap<>());
    return new ContainerRequest(name, role, amounts, amounts);
  }

  @ParameterizedTest(name = "{0}: {3}")
  @MethodSource("pods")
  void holds(String name, PodRequest pod, KubeletSettings kubelet, List<Claim> claims) {
    assertThat(Occupant.of(pod, 2, kubelet)).isEqualTo(new Occupant("pod", claims, 2));
  }

  @Test
  void cpusOfInitContainersMayBeOthersThanThoseOfTheRest() {
    Machine machine = pinning().without(KubeletSettings.FULL_PCPUS_ONLY).build();
    KubeletSimulation kubelet =
        ((KubeletSimulation.Start.Started) KubeletSimulation.start(machine)).kubelet();
    kubelet.admit(PodRequest.guaranteed("other", 1, 1));
    int free = free(kubelet);
    // The init container gets the other thread of the half-used core, the main one a core.
    PodRequest pod = pod(container("init", Role.INIT, "1", 1), container("main", Role.APP, "2", 1));
    assertThat(kubelet.admit(pod)).isInstanceOf(Admission.Admitted.class);
    assertThat(pod.peak(PodRequest::exclusiveCpus)).isEqualTo(2);
    assertThat(free - free(kubelet)).isEqualTo(3);
    assertThat(Occupant.of(pod, 0, machine.kubelet()).claims()).containsExactly(new Claim(3, 1));
  }

  private static int free(KubeletSimulation kubelet) {
    return kubelet.free().stream().mapToInt(numaNode -> numaNode.cpus().size()).sum();
  }

  @Test
  void nothingIsNegative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Occupant("a/b", 1, 1, -1))
        .withMessage("pod a/b requests -1 slots: a request cannot be negative");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Claim(-1, 1))
        .withMessage("a claim of -1 CPUs and 1 bytes: neither can be negative");
    assertThatIllegalArgumentException().isThrownBy(() -> new Claim(1, -1));
  }
}
