package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.MIB;
import static io.numaspark.planner.fixture.Policies.between;
import static io.numaspark.planner.fixture.Policies.exactly;
import static io.numaspark.planner.fixture.Policies.maxHeap;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.NamedMachines.NamedMachine;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.jvm.PageCachePolicy;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.PinnedBy;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What of a NUMA node executors get beside their heaps. */
class PageCacheTest {
  /** Two NUMA nodes of 6 free cores and 100 GiB: two executors of 3 cores each. */
  private static MachineBuilder twoOf100() {
    return machine(TopologyBuilder.sockets(2).cores(7).threads(2).memoryBytes(101 * GIB).build())
        .reserving("0,14,7,21")
        .reservingMemory(GIB);
  }

  @ParameterizedTest(name = "{0}: heap {4} MiB, page cache {5} MiB")
  @CsvSource({
    // Two executors share 90 of 100 GiB: 45 GiB each.
    "the share,               30720,    0,     , 30720, 12288",
    "a bound,                 30720,    0, 4096, 30720,  4096",
    "no page cache,           30720,    0,    0, 30720,     0",
    "a heap of all memory,    65536,    0,     , 41891,     0",
    "the least is kept,       65536, 8192,     , 34444,  8192",
    "the least within share,  30720, 8192,     , 30720, 12288",
  })
  void isWhatHeapAndOverheadLeave(
      String name, long heap, long min, Long max, long expectedHeap, long expectedCache) {
    PageCachePolicy policy =
        new PageCachePolicy(min * MIB, max == null ? PageCachePolicy.UNLIMITED : max * MIB);
    Plan plan =
        plan(twoOf100().build(), maxHeap(heap).withPageCache(policy).withFreePercent(10), 3);
    assertThat(plan.layouts().get(0).slots()).hasSize(4);
    ExecutorMemory memory = plan.shape().memory();
    assertThat(memory.heapBytes() / MIB).isEqualTo(expectedHeap);
    assertThat(memory.pageCacheBytes() / MIB).isEqualTo(expectedCache);
  }

  /** Two executors of a NUMA node of 100 GiB. */
  @ParameterizedTest(name = "{0} % stay free: heap {1} MiB")
  @CsvSource({"0, 46546", "5, 44219", "50, 23273", "90, 4655"})
  void executorsLeaveAPartOfEachNumaNodeToOtherPods(int percent, long heap) {
    Plan plan = plan(twoOf100().build(), maxHeap(65536).withFreePercent(percent), 3);
    assertThat(plan.shape().memory().heapBytes() / MIB).isEqualTo(heap);
    assertThat(plan.layouts().get(0).numaNodes())
        .allSatisfy(
            numaNode ->
                assertThat(numaNode.strandedMemoryBytes())
                    .isBetween(100 * GIB / 100 * percent, 100 * GIB / 100 * percent + 4 * MIB));
  }

  @Test
  void whereTheRuntimePinsItsOwnFieldSaysWhatIsLeft() {
    Machine pinned =
        new RuntimePinning(1, OptionalLong.of(8 * GIB), PinnedBy.Memory.BIND)
            .pin(twoOf100().with(CpuManagerPolicy.NONE).with(MemoryManagerPolicy.NONE).build());
    Plan plan = plan(pinned, maxHeap(30720).withFreePercent(50), 3);
    assertThat(plan.layouts().get(0).numaNodes())
        .allSatisfy(numaNode -> assertThat(numaNode.strandedMemoryBytes()).isLessThan(2 * MIB));
  }

  @Test
  void theSmallestShareCountsForAllAndTheOthersSaySo() {
    Machine poor =
        machine(TopologyBuilder.sockets(2).cores(7).threads(2).memoryBytes(76 * GIB).build())
            .reserving("0,14,7,21")
            .reservingMemory(GIB)
            .build();
    Plan plan =
        (Plan)
            LayoutPlanner.plan(
                List.of(
                    new NodeClass("rich", 1, twoOf100().build()), new NodeClass("poor", 1, poor)),
                exactly(3, maxHeap(30720).withFreePercent(10)));
    // 33.75 GiB of 75 for each, of which heap and overhead take 33.
    assertThat(plan.shape().memory().pageCacheBytes()).isEqualTo(768 * MIB);
    assertThat(plan.layouts().get(1).findings()).isEmpty();
    assertThat(plan.layouts().get(0).findings())
        .containsExactly(
            new Finding(
                Finding.Severity.INFO,
                Reason.MEMORY_UNSPENT,
                "NUMA node 0 leaves 33280 of 102400 MiB, NUMA node 1 leaves 33280 of 102400 MiB to other pods: all executors are"
                    + " alike, and another NUMA node of the profile has less for each",
                "none is needed if other pods use it; otherwise give nodes with less memory for each executor a profile of"
                    + " their own, and all NUMA nodes of a node as many cores and as much memory for each core"));
  }

  @Test
  void withoutTheMemoryManagerEveryNumaNodeHoldsItsExecutors() {
    Machine uncounted = twoOf100().with(MemoryManagerPolicy.NONE).build();
    Plan plan = plan(uncounted, maxHeap(30720).withFreePercent(10), 3);
    assertThat(plan.layouts().get(0).slots()).hasSize(4);
    assertThat(plan.layouts().get(0).numaNodes())
        .allSatisfy(
            numaNode ->
                assertThat(numaNode.strandedMemoryBytes()).isGreaterThanOrEqualTo(10 * GIB));
  }

  /**
   * On machines that people have, no more than the free part stays with the NUMA nodes that hold
   * the most executors, and page cache costs no executor.
   */
  @ParameterizedTest
  @MethodSource("io.numaspark.planner.fixture.CommonMachines#all")
  void nothingElseIsLeft(NamedMachine named) {
    List<NodeClass> nodes = List.of(new NodeClass(named.name(), 1, named.machine()));
    int cores = ((Plan) LayoutPlanner.plan(nodes, between(2, 6))).shape().cpus().cores();
    MemoryPolicy usual = maxHeap(30720).withFreePercent(5);
    Plan plan = plan(named.machine(), usual, cores);
    Plan without = plan(named.machine(), usual.withPageCache(PageCachePolicy.NONE), cores);
    assertThat(plan.totalSlots()).isEqualTo(without.totalSlots());
    assertThat(plan.shape().memory().heapBytes()).isEqualTo(without.shape().memory().heapBytes());

    Layout layout = plan.layouts().get(0);
    int fullest = layout.numaNodes().stream().mapToInt(n -> n.slots().size()).max().orElseThrow();
    for (int i = 0; i < layout.numaNodes().size(); i++) {
      NumaLayout numaLayout = layout.numaNodes().get(i);
      NumaNode numaNode = named.machine().topology().numaNodes().get(i);
      if (numaLayout.slots().size() == fullest) {
        assertThat(numaLayout.strandedMemoryBytes())
            .isLessThanOrEqualTo(
                named.machine().allocatableMemoryBytes(numaNode) / 20 + fullest * 2 * MIB);
      }
    }
    assertThat(layout.findings()).extracting(Finding::reason).doesNotContain(Reason.MEMORY_UNSPENT);
  }

  private static Plan plan(Machine machine, MemoryPolicy memory, int cores) {
    return (Plan)
        LayoutPlanner.plan(List.of(new NodeClass("node", 1, machine)), exactly(cores, memory));
  }
}
