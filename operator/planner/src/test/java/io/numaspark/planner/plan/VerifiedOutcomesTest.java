package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.MIB;
import static io.numaspark.planner.fixture.Policies.between;
import static io.numaspark.planner.fixture.Policies.exactly;
import static io.numaspark.planner.fixture.Policies.maxHeap;
import static io.numaspark.planner.fixture.Policies.preferring;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static io.numaspark.planner.plan.Plans.plan;
import static io.numaspark.planner.plan.Plans.shortfall;
import static io.numaspark.planner.plan.Plans.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.Topologies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NodeTopology;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the real kubelet was seen to do with equal executors, to the CPU set. */
class VerifiedOutcomesTest {

  static Stream<Arguments> layouts() {
    return Stream.of(
        outcome(
            "a count of 2 reserves the first core; four executors of 3 cores",
            machine(Topologies.dualSocketHt()).reservingCount(2),
            3,
            """
            0: 1-3,17-19 4-6,20-22 | reserved 0,16 | stranded 7,23
            1: 8-10,24-26 11-13,27-29 | stranded 14-15,30-31"""),
        outcome(
            "a reserved core on each NUMA node costs no executor here",
            machine(Topologies.dualSocketHt()).reserving("0,16,8,24"),
            3,
            """
            0: 1-3,17-19 4-6,20-22 | reserved 0,16 | stranded 7,23
            1: 9-11,25-27 12-14,28-30 | reserved 8,24 | stranded 15,31"""),
        outcome(
            "executors as large as a NUMA node leave the reserved one empty",
            machine(Topologies.dualSocketHt()).reserving("0,16"),
            8,
            """
            0: | reserved 0,16 | stranded 1-7,17-23
            1: 8-15,24-31"""),
        outcome(
            "siblings of lone reserved threads are never used",
            machine(Topologies.dualSocketHt()).reserving("0-1"),
            6,
            """
            0: 2-7,18-23 | reserved 0-1 | stranded 16-17
            1: 8-13,24-29 | stranded 14-15,30-31"""),
        outcome(
            "a memory-only NUMA node holds no executor",
            machine(Topologies.withMemoryNode()).reserving("0,16"),
            7,
            """
            0: 1-7,17-23 | reserved 0,16
            1: 8-14,24-30 | stranded 15,31
            2:"""),
        outcome(
            "adjacent siblings: the machine of the end-to-end tests",
            machine(Topologies.labVm()).reserving("0-1").reservingMemory(256 * MIB),
            2,
            """
            0: 2-5 | reserved 0-1 | stranded 6-7
            1: 8-11 12-15"""),
        outcome(
            "no SMT",
            machine(Topologies.singleSocketNoSmt()).reservingCount(1),
            3,
            "0: 1-3 4-6 | reserved 0 | stranded 7"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("layouts")
  void laysExecutorsOut(String name, Machine machine, int cores, String expected) {
    Plan plan = plan(machine, exactly(cores));
    assertThat(text(plan.layouts().get(0))).isEqualTo(expected);
  }

  static Stream<Arguments> counts() {
    return Stream.of(
        count("SMT8, a core reserved", Topologies.powerSmt8(), 8, 3, 3, 4),
        count("SMT8, two threads cost the whole core", Topologies.powerSmt8(), 2, 3, 3, 4),
        count("2 x 56 cores, two reserved", Topologies.dualSocket56(), 4, 6, 9, 9),
        count(
            "6-core executors on 24-core NUMA nodes",
            Topologies.epycNps4(),
            2,
            6,
            3,
            4,
            4,
            4,
            4,
            4,
            4,
            4),
        count("sub-NUMA nodes", Topologies.dualSocketSubNuma4(), 2, 2, 2, 3, 3, 3, 3, 3, 3, 3));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("counts")
  void countsSlotsOfEachNumaNode(String name, Machine machine, int cores, int[] slots) {
    Layout layout = plan(machine, exactly(cores)).layouts().get(0);
    assertThat(layout.numaNodes().stream().mapToInt(numaNode -> numaNode.slots().size()))
        .containsExactly(Arrays.stream(slots).boxed().toArray(Integer[]::new));
  }

  @Test
  void twoReservedCoresOfALargeMachineStrandFourCpus() {
    Machine machine = machine(Topologies.dualSocket56()).reserving("0,56,112,168").build();
    Plan plan = plan(machine, exactly(6));
    assertThat(plan.totalSlots()).isEqualTo(18);
    assertThat(plan.layouts().get(0).strandedCpus()).hasToString("55,111,167,223");
    // Five cores would strand none, but 4 of 220 CPUs are not worth a smaller executor.
    assertThat(plan(machine, between(2, 6)).shape().cpus().cores()).isEqualTo(6);
  }

  @Test
  void twoThreadsReservedOfEightStrandTheOtherSix() {
    Layout layout =
        plan(machine(Topologies.powerSmt8()).reserving("0,24").build(), exactly(3))
            .layouts()
            .get(0);
    assertThat(layout.strandedCpus().toString())
        .startsWith("10-11,34-35,48,58-59,72,82-83,96")
        .endsWith("144,154-155,168,178-179");
  }

  @Test
  void sixExecutorsShareTheMemoryOfANumaNode() {
    // 128 GiB less 4 GiB reserved, 6 free cores a NUMA node: 20 GiB and two thirds each.
    Machine machine =
        machine(Topologies.dualSocketHt())
            .reserving("0-1,8-9,16-17,24-25")
            .reservingMemory(4 * GIB)
            .build();
    Plan plan = plan(machine, exactly(1));
    ExecutorMemory memory = plan.shape().memory();
    assertThat(plan.totalSlots()).isEqualTo(12);
    assertThat(memory.podBytes() / MIB).isEqualTo(124 * 1024 / 6);
    assertThat(memory.heapBytes() / MIB).isEqualTo(19239);
    assertThat(memory.overheadBytes() / MIB).isEqualTo(1923);
    assertThat(plan.layouts().get(0).strandedMemoryBytes())
        .isEqualTo(2 * 124 * GIB - 12 * memory.podBytes());
  }

  @Test
  void strictReservationKeepsOneExecutorBack() {
    MachineBuilder strict =
        machine(Topologies.dualSocketHt())
            .reserving("0,16")
            .with(KubeletSettings.STRICT_CPU_RESERVATION);
    Plan plan = plan(strict.build(), exactly(1));
    Layout layout = plan.layouts().get(0);
    assertThat(layout.slots()).hasSize(14);
    assertThat(layout.strandedCpus()).hasToString("15,31");
    assertThat(layout.findings())
        .extracting(Finding::reason)
        .containsExactly(Reason.STRICT_RESERVATION_FULLY_PACKED);
    assertThat(layout.numaNodes().get(1).limitedBy())
        .isEqualTo("one slot is left out so that the kubelet can restart");
    assertThat(plan.why()).startsWith("1 core an executor: 14 slots, 2 CPUs stranded; ");
    // 8-CPU executors leave CPUs anyway, so nothing has to be kept back.
    assertThat(plan(strict.build(), exactly(4)).layouts().get(0).findings()).isEmpty();
  }

  @Test
  void theSizeIsChosenWithTheExecutorKeptBackInMind() {
    // Two executors of 7 cores would fill the machine, so one is kept back; two of 6 leave room.
    MachineBuilder strict =
        machine(Topologies.dualSocketHt())
            .reserving("0,8,16,24")
            .with(KubeletSettings.STRICT_CPU_RESERVATION);
    Plan plan = plan(strict.build(), between(6, 7));
    assertThat(plan.shape().cpus().cores()).isEqualTo(6);
    assertThat(plan.why()).startsWith("6 cores an executor: 2 slots, 4 CPUs stranded; ");
    assertThat(plan.runnersUp())
        .singleElement()
        .satisfies(
            other -> {
              assertThat(other.slots()).isEqualTo(1);
              assertThat(other.strandedCpus()).isEqualTo(14);
            });
  }

  @Test
  void aPlanWhoseOnlyExecutorIsKeptBackIsNone() {
    Machine machine =
        machine(Topologies.singleSocketNoSmt())
            .reserving("0")
            .with(KubeletSettings.STRICT_CPU_RESERVATION)
            .build();
    Shortfall shortfall = shortfall(machine, exactly(7));
    assertThat(shortfall.reason()).isEqualTo(Reason.STRICT_RESERVATION_FULLY_PACKED);
    assertThat(shortfall.message()).contains("strict-cpu-reservation");
    assertThat(plan(machine, preferring(7, 2, 6)).shape().cpus().cores()).isEqualTo(6);
  }

  @Test
  void oneOfflineSiblingMakesAMachineUnusable() {
    Machine machine = machine(Topologies.oneSiblingOffline()).reservingCount(1).build();
    Layout layout = shortfall(machine, exactly(1)).layouts().get(0);
    assertThat(layout.findings()).anyMatch(finding -> finding.reason() == Reason.OFFLINE_SIBLING);
    assertThat(text(layout)).isEqualTo("0: | reserved 7 | stranded 0-6,8-14");
  }

  @Test
  void theLabMachineTakesThePreferredSize() {
    Machine machine =
        machine(Topologies.labVm()).reserving("0-1").reservingMemory(256 * MIB).build();
    Plan plan = plan(machine, preferring(2, 1, 4));
    assertThat(plan.shape().cpus()).isEqualTo(new ExecutorCpus(2, 4, 4));
    assertThat(plan.totalSlots()).isEqualTo(3);
    // NUMA node 1 decides: two executors share 4864 MiB.
    assertThat(plan.shape().memory()).isEqualTo(new ExecutorMemory(2048 * MIB, 384 * MIB, 0));
    assertThat(plan.layouts().get(0).numaNodes())
        .extracting(NumaLayout::strandedMemoryBytes)
        .containsExactly(2432 * MIB, 0L);
    assertThat(plan.layouts().get(0).numaNodes())
        .extracting(NumaLayout::limitedBy)
        .containsExactly(
            "an executor needs 2 cores and 1 of 3 free cores are left", "every core is used");
  }

  @Test
  void aHeapLimitLeavesMemoryToThePageCache() {
    Machine machine =
        machine(Topologies.dualSocketHt()).reserving("0,16").reservingMemory(GIB).build();
    Plan plan = plan(machine, exactly(7, maxHeap(8 * 1024)));
    assertThat(plan.shape().memory().heapBytes()).isEqualTo(8 * GIB);
    assertThat(plan.layouts().get(0).strandedMemoryBytes())
        .isEqualTo(254 * GIB - 2 * plan.shape().memory().podBytes());
  }

  @Test
  void reservedMemoryIsNotGivenToExecutors() {
    Machine machine =
        machine(TopologyBuilder.sockets(2).threads(2).memoryBytes(16 * GIB).build())
            .reserving("0,16")
            .reservingMemory(GIB)
            .build();
    assertThat(plan(machine, exactly(7)).shape().memory().podBytes()).isEqualTo(15 * GIB);
  }

  private static Arguments outcome(
      String name, MachineBuilder machine, int cores, String expected) {
    return Arguments.of(name, machine.build(), cores, expected);
  }

  private static Arguments count(
      String name, NodeTopology topology, int reserved, int cores, int... slots) {
    return Arguments.of(name, machine(topology).reservingCount(reserved).build(), cores, slots);
  }
}
