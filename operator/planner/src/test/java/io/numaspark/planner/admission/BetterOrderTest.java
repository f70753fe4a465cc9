package io.numaspark.planner.admission;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.topology.Machine;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BetterOrderTest {
  /** 14 and 16 free CPUs. */
  private static final Machine DUAL_SOCKET =
      machine(Topologies.dualSocketHt()).reserving("0,16").reservingMemory(4 * GIB).build();

  @Test
  void theLargestFirstSavesAPodThatFirstFitLoses() {
    assertThat(BetterOrder.of(DUAL_SOCKET, pods(8, 14, 8)))
        .contains(new BetterOrder(List.of("p1-14", "p0-8", "p2-8"), 3, 2));
  }

  @Test
  void anOrderThatLosesNothingIsNotImproved() {
    assertThat(BetterOrder.of(DUAL_SOCKET, pods(14, 8, 8))).isEmpty();
    assertThat(BetterOrder.of(DUAL_SOCKET, List.of())).isEmpty();
  }

  @Test
  void whatFitsInNoOrderIsNotImproved() {
    assertThat(BetterOrder.of(DUAL_SOCKET, pods(16, 16, 16))).isEmpty();
  }

  @Test
  void manyKindsAreOnlyTriedBySize() {
    int[] kinds = {2, 4, 6, 8, 10, 12, 14};
    assertThat(BetterOrder.of(DUAL_SOCKET, pods(kinds)))
        .hasValueSatisfying(
            better -> {
              assertThat(better.pods()).startsWith("p6-14", "p5-12", "p4-10");
              assertThat(better.pods()).hasSameSizeAs(Arrays.stream(kinds).boxed().toList());
            });
  }

  @Test
  void aKubeletThatDoesNotStartHasNoBetterOrder() {
    assertThat(BetterOrder.of(machine(Topologies.dualSocketHt()).build(), pods(40))).isEmpty();
  }

  private static List<PodRequest> pods(int... cpus) {
    return IntStream.range(0, cpus.length)
        .mapToObj(i -> PodRequest.guaranteed("p" + i + "-" + cpus[i], cpus[i], GIB))
        .toList();
  }
}
