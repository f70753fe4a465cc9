package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.numaspark.planner.admission.Admission;
import io.numaspark.planner.admission.KubeletSimulation;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.plan.PackingAdvice.Group;
import io.numaspark.planner.plan.PackingAdvice.Order;
import io.numaspark.planner.topology.Machine;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackingAdviceTest {
  /** 7 and 8 free cores. */
  private static final Machine DUAL_SOCKET =
      machine(Topologies.dualSocketHt()).reserving("0,16").reservingMemory(4 * GIB).build();

  @Test
  void theLargestFirstSavesAnExecutorThatFirstFitLoses() {
    PackingAdvice advice =
        PackingAdvice.of(
            DUAL_SOCKET, List.of(group("a", 4, 1), group("large", 7, 1), group("b", 4, 1)));
    assertThat(advice)
        .isEqualTo(
            new PackingAdvice(
                new Order(List.of("large", "a", "b"), 3, 0),
                new Order(List.of("a", "b", "large"), 2, 7),
                true));
  }

  @Test
  void theKubeletAgreesWithBothOrders() {
    // 8, 14, 8 and 14, 8, 8 CPUs.
    assertThat(admittedByKubelet(8, 14, 8)).containsExactly(true, true, false);
    assertThat(admittedByKubelet(14, 8, 8)).containsExactly(true, true, true);
  }

  private static List<Boolean> admittedByKubelet(int... cpus) {
    KubeletSimulation kubelet =
        ((KubeletSimulation.Start.Started) KubeletSimulation.start(DUAL_SOCKET)).kubelet();
    return IntStream.range(0, cpus.length)
        .mapToObj(i -> kubelet.admit(PodRequest.guaranteed("pod-" + i, cpus[i], GIB)))
        .map(Admission.Admitted.class::isInstance)
        .toList();
  }

  @Test
  void memoryCountsToo() {
    // 124 GiB a NUMA node: one pod of 100 GiB each.
    PackingAdvice advice = PackingAdvice.of(DUAL_SOCKET, List.of(new Group("a", 1, 100 * GIB, 3)));
    assertThat(advice.best()).isEqualTo(new Order(List.of("a"), 2, 1));
    assertThat(advice.worst()).isEqualTo(advice.best());
  }

  @Test
  void manyGroupsAreOnlyTriedBySize() {
    List<Group> groups =
        IntStream.rangeClosed(1, 8).mapToObj(cores -> group("g" + cores, cores, 1)).toList();
    PackingAdvice advice = PackingAdvice.of(DUAL_SOCKET, groups);
    assertThat(advice.exhaustive()).isFalse();
    // 8 and 7 cores fill the machine; the small ones first leave 6, 7 and 8 out.
    assertThat(advice.best().names()).startsWith("g8", "g7");
    assertThat(advice.best().coresRejected()).isEqualTo(21);
    assertThat(advice.worst().coresRejected()).isGreaterThanOrEqualTo(21);
  }

  @Test
  void refusesWhatIsNoGroup() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PackingAdvice.of(DUAL_SOCKET, List.of()))
        .withMessageContaining("at least one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PackingAdvice.of(DUAL_SOCKET, List.of(group("a", 0, 1))))
        .withMessageContaining("group a: has 0 cores");
  }

  private static Group group(String name, int cores, int executors) {
    return new Group(name, cores, GIB, executors);
  }
}
