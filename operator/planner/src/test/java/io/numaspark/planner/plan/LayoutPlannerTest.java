package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.MIB;
import static io.numaspark.planner.fixture.Policies.between;
import static io.numaspark.planner.fixture.Policies.exactly;
import static io.numaspark.planner.fixture.Policies.jvm;
import static io.numaspark.planner.fixture.Policies.memory;
import static io.numaspark.planner.fixture.Policies.preferring;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static io.numaspark.planner.plan.Plans.plan;
import static io.numaspark.planner.plan.Plans.shortfall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.jvm.Collector;
import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.MemoryPolicy;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutPlannerTest {
  private static final Machine DUAL_SOCKET =
      machine(Topologies.dualSocketHt()).reserving("0,16").build();

  @Test
  void strandsTheFewestCpusAndExplainsItself() {
    Plan plan = plan(DUAL_SOCKET, between(2, 6));
    // 7 + 8 free cores: 2 cores strand 1 core, 3 strand 3, 4 strand 3, 5 strand 5, 6 strand 3.
    assertThat(plan.shape().cpus()).isEqualTo(new ExecutorCpus(2, 4, 4));
    assertThat(plan.why())
        .isEqualTo(
            "2 cores an executor: 7 slots, 2 CPUs stranded;"
                + " 2 cores instead of 6 cores because with 6 cores 6 of 30 CPUs are stranded, with 2 cores 2"
                + " (a better size may strand up to 5)");
    assertThat(plan.runnersUp())
        .extracting(c -> c.shape().cpus().cores(), c -> c.slots(), c -> c.strandedCpus())
        .containsExactly(tuple(6, 2, 6), tuple(4, 3, 6), tuple(3, 4, 6));
  }

  @ParameterizedTest(name = "{0} cores a NUMA node, {1} to {2}: {3}")
  @CsvSource({
    // Nothing is stranded: up to 6 cores, larger is better.
    "12, 1, 6, 6",
    "12, 1, 4, 4",
    "12, 2, 5, 4",
    "10, 1, 6, 5",
    "8,  2, 6, 4",
    "7,  2, 6, 6",
    "12, 1, 12, 6",
    // Up to 6: 5 beats 7, 4 beats 8; but 7 beats 3, and 8 beats 1.
    "35, 5, 7, 5",
    "8,  4, 8, 4",
    "7,  1, 7, 7",
    "56, 7, 8, 7",
    // One core is no better than the rest of the range for stranding nothing.
    "13, 1, 6, 6",
    "55, 1, 6, 6",
  })
  void prefersUpToSixCores(int cores, int min, int max, int chosen) {
    // Reserving all of the first socket leaves one whole NUMA node to look at.
    Machine machine =
        machine(TopologyBuilder.sockets(2).cores(cores).build())
            .reserving("0-" + (cores - 1))
            .build();
    assertThat(plan(machine, between(min, max)).shape().cpus().cores()).isEqualTo(chosen);
  }

  @ParameterizedTest
  @CsvSource({"SHARED, 12, 12", "ISOLATED, 12, 6"})
  void anExecutorOwnsAllThreadsOfItsCores(SmtMode smt, int cpus, int taskSlots) {
    assertThat(plan(DUAL_SOCKET, exactly(6, smt)).shape().cpus())
        .isEqualTo(new ExecutorCpus(6, cpus, taskSlots));
  }

  @Test
  void aCoreMayGiveMoreTaskSlotsThanThreads() {
    ShapePolicy shared = exactly(3);
    ShapePolicy policy =
        new ShapePolicy(
            shared.cores(),
            SmtMode.SHARED,
            OptionalInt.of(4),
            ShapePriorities.USUAL,
            shared.memory(),
            shared.jvm());
    assertThat(plan(DUAL_SOCKET, policy).shape().cpus()).isEqualTo(new ExecutorCpus(3, 6, 12));
  }

  @Test
  void thePreferredSizeWinsAgainstAnyRange() {
    Plan plan = plan(DUAL_SOCKET, preferring(5, 2, 3));
    assertThat(plan.shape().cpus().cores()).isEqualTo(5);
    assertThat(plan.why())
        .isEqualTo("5 cores an executor: 2 slots, 10 CPUs stranded; it is the preferred size");
  }

  @Test
  void aPreferredSizeThatFitsNowhereIsReplacedAndSaidSo() {
    Plan plan = plan(DUAL_SOCKET, preferring(9, 2, 6));
    assertThat(plan.shape().cpus().cores()).isEqualTo(2);
    assertThat(plan.why()).endsWith("; the preferred size of 9 cores does not fit any NUMA node");
  }

  @Test
  void aPoorClassTakesFewerExecutorsInsteadOfShrinkingAll() {
    Machine rich = machine(Topologies.labVm()).reserving("0-1").build();
    Machine poor =
        machine(
                TopologyBuilder.sockets(2)
                    .cores(4)
                    .threads(2)
                    .adjacentSiblings()
                    .memoryBytes(3 * GIB)
                    .build())
            .reserving("0-1")
            .build();
    Plan plan =
        plan(List.of(new NodeClass("rich", 2, rich), new NodeClass("poor", 1, poor)), exactly(2));
    // 9 slots of 1.5 GiB, 8 of 2.5 GiB or 6 of 3 GiB: 8 x 8 x 2.5 is the most.
    assertThat(plan.shape().memory().podBytes()).isEqualTo(5 * GIB / 2);
    assertThat(plan.layouts()).extracting(layout -> layout.slots().size()).containsExactly(3, 2);
    assertThat(plan.layouts().get(1).findings())
        .containsExactly(
            new Finding(
                Finding.Severity.INFO,
                Reason.MEMORY_LIMITS_SLOTS,
                "NUMA node 1 has cores for 2 executors but memory for 1 (2560 MiB each)",
                "lower spec.executor.maxHeap for more and smaller executors, give nodes with less memory a profile of"
                    + " their own, or set memoryManagerPolicy: Static if it is None"));
    assertThat(plan.layouts())
        .extracting(l -> l.nodeClass().name())
        .containsExactly("rich", "poor");
  }

  @Test
  void classesCountByTheirNodes() {
    // Alone the first class wants 4 cores and the second 5; the many nodes win.
    Machine fours = machine(TopologyBuilder.sockets(2).cores(8).build()).reserving("0-7").build();
    Machine fives = machine(TopologyBuilder.sockets(2).cores(10).build()).reserving("0-9").build();
    assertThat(mixed(fours, 10, fives, 1)).isEqualTo(4);
    assertThat(mixed(fours, 1, fives, 10)).isEqualTo(5);
  }

  private static int mixed(Machine one, int nodesOfOne, Machine other, int nodesOfOther) {
    return plan(
            List.of(
                new NodeClass("one", nodesOfOne, one), new NodeClass("other", nodesOfOther, other)),
            between(4, 5))
        .shape()
        .cpus()
        .cores();
  }

  @Test
  void anUnusableClassHasNoSlotsAndDoesNotDisturbTheOthers() {
    Machine unpinned =
        machine(TopologyBuilder.sockets(1).memoryBytes(GIB).threads(2).build())
            .reserving("0,8")
            .with(CpuManagerPolicy.NONE)
            .reservingNoMemory()
            .build();
    Plan plan =
        plan(
            List.of(new NodeClass("bad", 50, unpinned), new NodeClass("good", 1, DUAL_SOCKET)),
            exactly(3));
    assertThat(plan.shape()).isEqualTo(plan(DUAL_SOCKET, exactly(3)).shape());
    assertThat(plan.totalSlots()).isEqualTo(4);
    Layout bad = plan.layouts().get(0);
    assertThat(bad.isUsable()).isFalse();
    assertThat(bad.slots()).isEmpty();
    assertThat(bad.strandedCpus()).hasToString("1-7,9-15");
    assertThat(bad.strandedMemoryBytes()).isEqualTo(GIB);
    assertThat(bad.numaNodes().get(0).limitedBy()).isEqualTo("the node class has an error");
  }

  @Test
  void theThreadsOfMostUsableNodesDecide() {
    Machine noSmt = machine(TopologyBuilder.sockets(2).build()).reserving("0").build();
    List<NodeClass> classes =
        List.of(
            new NodeClass("smt-a", 3, DUAL_SOCKET),
            new NodeClass("plain", 4, noSmt),
            new NodeClass(
                "smt-b", 3, machine(Topologies.dualSocketHt()).reserving("1,17").build()));
    Plan plan = plan(classes, exactly(3));
    assertThat(plan.layouts()).extracting(Layout::isUsable).containsExactly(true, false, true);
    assertThat(plan.layouts().get(1).findings())
        .containsExactly(
            new Finding(
                Finding.Severity.ERROR,
                Reason.MIXED_THREADS_PER_CORE,
                "cores have 1 threads here and 2 on most nodes of the profile:"
                    + " one executor shape cannot fit both",
                "give these nodes a profile of their own"));
  }

  @Test
  void unusableNodesHaveNoSayInTheThreads() {
    // Most nodes still have SMT on, which this profile forbids; the rest must remain usable.
    Machine noSmt = machine(TopologyBuilder.sockets(2).build()).reserving("0").build();
    Plan plan =
        plan(
            List.of(new NodeClass("smt", 30, DUAL_SOCKET), new NodeClass("plain", 1, noSmt)),
            exactly(3, SmtMode.DISABLED));
    assertThat(plan.totalSlots()).isEqualTo(4);
    assertThat(plan.layouts().get(0).findings())
        .extracting(Finding::reason)
        .contains(Reason.SMT_NOT_DISABLED);
  }

  @Test
  void noNodesIsAShortfall() {
    assertThat(shortfall(List.of(), exactly(3)))
        .isEqualTo(
            new Shortfall(
                Reason.NO_USABLE_NODE,
                "no node with a known topology",
                "apply a SparkNodeTopology for each node",
                List.of()));
  }

  @Test
  void onlyUnusableNodesIsAShortfallNamingTheFirstError() {
    Shortfall shortfall =
        shortfall(
            machine(Topologies.labVm())
                .reserving("0-1")
                .with(CpuManagerPolicy.NONE)
                .without(KubeletSettings.FULL_PCPUS_ONLY)
                .build(),
            exactly(2));
    assertThat(shortfall.reason()).isEqualTo(Reason.NO_USABLE_NODE);
    assertThat(shortfall.message())
        .isEqualTo(
            "every node class has an error:"
                + " the kubelet's cpuManagerPolicy is none: no container gets exclusive CPUs");
    assertThat(shortfall.layouts()).hasSize(1);
  }

  @Test
  void anExecutorLargerThanAnyNumaNodeIsAShortfall() {
    Shortfall shortfall =
        shortfall(machine(Topologies.labVm()).reserving("0-1").build(), between(12, 16));
    assertThat(shortfall.reason()).isEqualTo(Reason.EXECUTOR_TOO_LARGE);
    assertThat(shortfall.message())
        .isEqualTo(
            "spec.executor.coresPerExecutor.min is 12,"
                + " but the largest NUMA node has 4 cores without reserved threads");
    assertThat(shortfall.remedy()).isEqualTo("set spec.executor.coresPerExecutor.min to at most 4");
  }

  @Test
  void reservingEverythingIsAShortfallWithARemedyThatHelps() {
    Shortfall shortfall =
        shortfall(machine(Topologies.labVm()).reserving("0-15").build(), exactly(1));
    assertThat(shortfall.reason()).isEqualTo(Reason.EXECUTOR_TOO_LARGE);
    assertThat(shortfall.remedy()).isEqualTo("reserve fewer CPUs in the kubelet configuration");
  }

  @Test
  void tooLittleMemoryIsAShortfall() {
    Machine machine =
        machine(TopologyBuilder.sockets(2).threads(2).memoryBytes(GIB / 2).build())
            .reserving("0,16")
            .build();
    Shortfall shortfall = shortfall(machine, exactly(2));
    assertThat(shortfall.reason()).isEqualTo(Reason.EXECUTOR_MEMORY_TOO_SMALL);
    assertThat(shortfall.message()).contains("a heap of 450 MiB");
  }

  @Test
  void withoutTheMemoryManagerEveryExecutorOfANumaNodeMustFit() {
    TopologyBuilder small = TopologyBuilder.sockets(2).threads(2).memoryBytes(GIB);
    Machine counted = machine(small.build()).reserving("0,16").build();
    Machine uncounted =
        machine(small.build()).reserving("0,16").with(MemoryManagerPolicy.NONE).build();
    assertThat(plan(counted, exactly(2)).totalSlots()).isEqualTo(2);
    assertThat(shortfall(uncounted, exactly(2)).reason())
        .isEqualTo(Reason.EXECUTOR_MEMORY_TOO_SMALL);
    // The remedy it gives works.
    assertThat(plan(uncounted, exactly(5)).totalSlots()).isEqualTo(2);
  }

  @Test
  void anEmptyRangeIsAShortfallThatNamesIt() {
    for (ShapePolicy policy : List.of(between(4, 2), between(0, 0))) {
      Shortfall shortfall = shortfall(DUAL_SOCKET, policy);
      assertThat(shortfall.message())
          .startsWith("spec.executor.coresPerExecutor.min is " + policy.cores().min())
          .contains("max is " + policy.cores().max());
    }
    Machine full = machine(Topologies.labVm()).reserving("0-15").build();
    assertThat(shortfall(full, between(0, 2)).reason()).isEqualTo(Reason.EXECUTOR_TOO_LARGE);
    // Sizes below one core are no sizes; the rest of the range still counts.
    assertThat(plan(DUAL_SOCKET, preferring(0, 0, 1)).shape().cpus().cores()).isEqualTo(1);
  }

  @ParameterizedTest(name = "heap {0} MiB, {1}: {2}")
  @CsvSource({
    "30720, AUTO, ''",
    "30721, AUTO, HeapNotZeroBased",
    "32256, AUTO, HeapNotZeroBased",
    "32257, AUTO, HeapNotCompressed",
    "32257, PARALLEL, HeapNotZeroBased",
    "2048, ZGC, HeapNotCompressed",
  })
  void largeHeapsAreFoundIfTheyAreReallyReached(long heapMib, Collector collector, String reason) {
    ShapePolicy policy =
        new ShapePolicy(
            exactly(7).cores(),
            SmtMode.SHARED,
            OptionalInt.empty(),
            ShapePriorities.USUAL,
            new MemoryPolicy(heapMib * MIB, 0.1, 384 * MIB, 0),
            jvm(collector));
    Layout layout = plan(DUAL_SOCKET, policy).layouts().get(0);
    assertThat(layout.findings().stream().map(f -> f.reason().displayName()))
        .isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
  }

  @Test
  void theDefaultHeapIsZeroBased() {
    assertThat(plan(DUAL_SOCKET, exactly(7)).shape().memory().heapBytes())
        .isEqualTo(memory().maxHeapBytes());
  }
}
