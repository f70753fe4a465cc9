package io.numaspark.render.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.picture.NodePicture.Cell;
import io.numaspark.render.picture.NodePicture.HeldBy;
import io.numaspark.render.picture.NodePicture.Unheld;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodePictureTest {
  private final Layout layout = Pictures.layout(Pictures.lab("0-1"), Policies.exactly(2));

  @Test
  void aThreadIsReservedStrandedFreeOrHeld() {
    CpuHolder holder = Pictures.executor("etl", 1, "2-5");
    NodePicture node = Pictures.node("numa-0", layout, holder);
    assertThat(node.held(Unheld.RESERVED)).isEqualTo(CpuSet.parse("0-1"));
    assertThat(node.held(Unheld.STRANDED)).isEqualTo(CpuSet.parse("6-7"));
    assertThat(node.held(new HeldBy(holder))).isEqualTo(CpuSet.parse("2-5"));
    assertThat(node.held(Unheld.FREE)).isEqualTo(CpuSet.parse("8-15"));
  }

  @ParameterizedTest
  @EnumSource
  void everyThreadOfTheTopologyIsDrawnOnce(Drawn drawn) {
    for (NodePicture node : drawn.picture().nodes()) {
      List<Integer> cpus =
          node.numaNodes().stream().flatMap(n -> n.cells().stream()).map(Cell::cpu).toList();
      assertThat(cpus).doesNotHaveDuplicates().hasSizeGreaterThan(15);
    }
    assertThat(Pictures.epyc().nodes().get(0).numaNodes().stream().mapToInt(n -> n.cells().size()))
        .containsOnly(48)
        .hasSize(8);
  }

  @Test
  void ofTwoThatClaimACpuTheSecondIsBeside() {
    CpuHolder first = Pictures.executor("etl", 1, "2-5");
    CpuHolder second = Pictures.executor("etl", 2, "4-7");
    NodePicture node = Pictures.node("numa-0", layout, first, second);
    assertThat(node.beside()).containsExactly(second);
    assertThat(node.held(new HeldBy(first))).isEqualTo(CpuSet.parse("2-5"));
  }

  @Test
  void aHolderWithoutCpusOrWithUnknownOnesIsBeside() {
    CpuHolder shared = Pictures.executor("etl", 1, "");
    CpuHolder elsewhere = Pictures.executor("etl", 2, "98-99");
    assertThat(Pictures.node("numa-0", layout, shared, elsewhere).beside())
        .containsExactly(shared, elsewhere);
  }

  @Test
  void aHolderNamesPodCpusHeapAndWhyItIsNotPinned() {
    CpuHolder holder =
        Pictures.executor("etl", 2, "2-5", new PinState(PinState.Verdict.NOT_PINNED, "no reason"));
    assertThat(holder.spoken())
        .isEqualTo(
            "Executor 2 of etl. Pod etl-exec-2. CPUs 2-5 (4). Heap 1Gi, page cache 256Mi, pod 1536Mi. Not pinned: no reason");
    assertThat(holder.labels()).containsExactly("etl 2!", "executor 2!", "exec 2!", "2!");
  }
}
