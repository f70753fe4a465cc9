package io.numaspark.planner.capacity;

import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Named nodes with named pods, and what is published. */
class SlotCapacityTest {
  /** 10 GiB of heap and a tenth of it: 11 GiB. */
  private static final long SLOT_BYTES = 11 * GIB;

  /** Two NUMA nodes of 18 CPUs and 127 GiB: three slots of 6 CPUs each, 94 GiB beside them. */
  private static Plan twoOf18() {
    return plan(pinning(twoOf20().memoryBytes(128 * GIB).build()).build(), 6);
  }

  private static TopologyBuilder twoOf20() {
    return TopologyBuilder.sockets(2).cores(20);
  }

  private static MachineBuilder pinning(NodeTopology topology) {
    return MachineBuilder.machine(topology).reserving("0-1,20-21").reservingMemory(GIB);
  }

  private static Plan plan(Machine machine, int cores) {
    return (Plan)
        LayoutPlanner.plan(
            List.of(new NodeClass("node", 1, machine)),
            Policies.exactly(cores, Policies.withoutPageCache(10 * 1024)));
  }

  static Stream<Arguments> twoNumaNodesOf18() {
    return Stream.of(
        row("nothing else", List.of(), 0, 6),
        row("a pod of a slot's CPUs", pods(1, 6, 0, 0), 1, 5),
        row("a pod of one CPU more", pods(1, 7, 0, 0), 2, 4),
        row("a pod of a NUMA node's CPUs", pods(1, 18, 0, 0), 3, 3),
        row("two pods of one CPU, maybe in both NUMA nodes", pods(2, 1, 0, 0), 2, 4),
        row("ten pods of one CPU", pods(10, 1, 0, 0), 3, 3),
        row("36 pods of one CPU", pods(36, 1, 0, 0), 6, 0),
        row("memory beside the slots", pods(1, 0, 94, 0), 0, 6),
        row("memory beside the slots and of one", pods(1, 0, 95, 0), 1, 5),
        row("memory of the slots of one NUMA node", pods(1, 0, 127, 0), 3, 3),
        row("executors of the shape", pods(4, 6, 11, 1), 0, 6),
        row("smaller executors of an earlier shape", pods(4, 3, 11, 1), 0, 6),
        row("an executor that holds two slots and asked for three", pods(1, 12, 22, 3), 0, 6),
        row("a larger executor of an earlier shape", pods(1, 8, 11, 1), 2, 5),
        row("two of them", pods(2, 8, 11, 1), 4, 4),
        row("four of them: two in each NUMA node", pods(4, 8, 11, 1), 6, 4),
        row("more requests than slots", pods(7, 6, 11, 1), 0, 7),
        row("a request so large", pods(2, 6, 11, Integer.MAX_VALUE), 0, Integer.MAX_VALUE));
  }

  private static Arguments row(String name, List<Occupant> occupants, int lost, int capacity) {
    return Arguments.of(name, occupants, lost, capacity);
  }

  private static List<Occupant> pods(int number, int cpus, long gib, int slots) {
    List<Occupant> pods = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      pods.add(new Occupant("pod-" + i, cpus, gib * GIB, slots));
    }
    return pods;
  }

  @ParameterizedTest(name = "{0}: {2} lost, {3} published")
  @MethodSource("twoNumaNodesOf18")
  void besideOtherPods(String name, List<Occupant> occupants, int lost, int capacity) {
    Plan plan = twoOf18();
    assertThat(plan.shape().memory().podBytes()).isEqualTo(SLOT_BYTES);
    SlotCapacity found = of(plan, occupants);
    assertThat(found.slots()).isEqualTo(6);
    assertThat(found.lost()).isEqualTo(lost);
    assertThat(found.capacity()).isEqualTo(capacity);
    assertThat(found.irregular().isEmpty()).isEqualTo(lost == 0 && !name.startsWith("memory"));
  }

  private static SlotCapacity of(Plan plan, List<Occupant> occupants) {
    return SlotCapacity.of(plan.shape(), plan.layouts().get(0), occupants);
  }

  @Test
  void theSchedulersSubtractionCancelsOut() {
    List<Occupant> occupants = new ArrayList<>(pods(2, 6, 11, 1));
    occupants.add(new Occupant("earlier", 8, 11 * GIB, 1));
    SlotCapacity found = of(twoOf18(), occupants);
    // Of six slots two are taken by executors of the shape and two by the earlier one.
    assertThat(found.free()).isEqualTo(2);
    assertThat(found.requested()).isEqualTo(3);
    assertThat(found.irregular()).extracting(Occupant::name).containsExactly("earlier");
  }

  @Test
  void whatIsLeftBesideSlotsHoldsOtherPods() {
    // 19 and 18 CPUs: the first CPU in one of the NUMA nodes costs no slot, but which one is not
    // known.
    Machine machine = MachineBuilder.machine(twoOf20().build()).reserving("0,20-21").build();
    assertThat(of(plan(machine, 6), pods(1, 1, 0, 0)).lost()).isEqualTo(1);
    // Four slots of 4 CPUs each, 3 and 2 CPUs beside them.
    assertThat(of(plan(machine, 4), pods(1, 2, 0, 0)).lost()).isZero();
    assertThat(of(plan(machine, 4), pods(1, 3, 0, 0)).lost()).isEqualTo(1);
    assertThat(of(plan(machine, 4), pods(3, 2, 0, 0)).lost()).isEqualTo(1);
    assertThat(of(plan(machine, 4), pods(7, 1, 0, 0)).lost()).isEqualTo(2);
  }

  @Test
  void memoryThatNobodyCountsTakesNoSlot() {
    Machine machine = pinning(twoOf20().build()).with(MemoryManagerPolicy.NONE).build();
    assertThat(of(plan(machine, 6), pods(2, 0, 500, 0)).lost()).isZero();
    assertThat(of(plan(machine, 6), pods(2, 6, 500, 0)).lost()).isEqualTo(2);
  }

  @Test
  void restrictedMaySpreadWhatIsLargerThanANumaNode() {
    MachineBuilder restricted = pinning(twoOf20().build()).with(TopologyManagerPolicy.RESTRICTED);
    // Up to 20 CPUs stay together, reserved ones included.
    assertThat(of(plan(restricted.build(), 6), pods(1, 20, 0, 0)).lost()).isEqualTo(3);
    // Memory in a group of NUMA nodes closes them to other pods.
    assertThat(of(plan(restricted.build(), 6), pods(1, 21, 1, 0)).lost()).isEqualTo(6);
    assertThat(of(plan(restricted.build(), 6), pods(1, 1, 128, 0)).lost()).isEqualTo(6);
    // CPUs alone lie anywhere: 1 and 20 are the same as 21 of one.
    restricted.with(MemoryManagerPolicy.NONE);
    assertThat(of(plan(restricted.build(), 6), pods(1, 21, 0, 0)).lost()).isEqualTo(5);
    assertThat(of(plan(restricted.build(), 6), pods(21, 1, 0, 0)).lost()).isEqualTo(5);
  }

  /** Whoever may bind a pod to a node may ask for any number of CPUs. */
  @Test
  void aClaimOfAnySizeCostsAllSlotsAndNoHeap() {
    Machine restricted =
        pinning(twoOf20().build())
            .with(TopologyManagerPolicy.RESTRICTED)
            .with(MemoryManagerPolicy.NONE)
            .build();
    assertThat(of(plan(restricted, 6), pods(1, 36, 0, 0)).lost()).isEqualTo(6);
    assertThat(of(plan(restricted, 6), pods(1, Integer.MAX_VALUE, 0, 0)).lost()).isEqualTo(6);
    assertThat(of(plan(restricted, 6), pods(200, Integer.MAX_VALUE, 0, Integer.MAX_VALUE)))
        .satisfies(
            found -> {
              assertThat(found.capacity()).isEqualTo(Integer.MAX_VALUE);
              assertThat(found.free()).isZero();
            });
  }

  @Test
  void theSharedPoolKeepsACpuUnderStrictReservation() {
    MachineBuilder strict = pinning(twoOf20().build()).with(KubeletSettings.STRICT_CPU_RESERVATION);
    SlotCapacity empty = of(plan(strict.build(), 6), List.of());
    // 36 CPUs would make six slots; the last one stays empty.
    assertThat(empty.capacity()).isEqualTo(5);
    // 6 CPUs are beside the slots, but not for exclusive use.
    assertThat(of(plan(strict.build(), 6), pods(1, 5, 0, 0)).lost()).isEqualTo(1);
    assertThat(of(plan(strict.build(), 6), pods(1, 6, 0, 0)).lost()).isEqualTo(1);
    assertThat(of(plan(strict.build(), 6), pods(2, 6, 0, 0)).lost()).isEqualTo(2);
    // In one NUMA node of 12 CPUs the 6 beside its only slot would hold a pod of 5 or 6.
    NodeTopology single = TopologyBuilder.sockets(1).cores(13).build();
    MachineBuilder one =
        MachineBuilder.machine(single).reserving("0").with(KubeletSettings.STRICT_CPU_RESERVATION);
    assertThat(of(plan(one.build(), 6), pods(1, 5, 0, 0)).lost()).isZero();
    assertThat(of(plan(one.build(), 6), pods(1, 6, 0, 0)).lost()).isEqualTo(1);
    one.with(KubeletSettings.STRICT_CPU_RESERVATION, "false");
    assertThat(of(plan(one.build(), 6), pods(1, 6, 0, 0)).lost()).isEqualTo(1);
    assertThat(of(plan(one.build(), 6), pods(1, 6, 0, 0)).slots()).isEqualTo(2);
  }

  @Test
  void loneThreadsBesideReservedOnesMakeNoSlot() {
    // The cache option lays a slot on the lone threads 8 and 9 of the reserved CPUs 0 and 1.
    NodeTopology topology =
        TopologyBuilder.sockets(2).cores(4).threads(2).memoryBytes(128 * GIB).build();
    Machine machine =
        MachineBuilder.machine(topology)
            .reserving("0,1")
            .reservingMemory(GIB)
            .with(KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE)
            .build();
    Plan plan = plan(machine, 1);
    assertThat(plan.layouts().get(0).slots()).hasSize(7);
    assertThat(of(plan, List.of()).capacity()).isEqualTo(6);
  }

  @Test
  void aClassThatCannotBeUsedPublishesWhatIsRequested() {
    Machine none = pinning(twoOf20().build()).with(TopologyManagerPolicy.NONE).build();
    Machine usable = pinning(twoOf20().build()).build();
    Plan plan =
        (Plan)
            LayoutPlanner.plan(
                List.of(new NodeClass("none", 1, none), new NodeClass("usable", 1, usable)),
                Policies.exactly(6));
    assertThat(of(plan, List.of()).capacity()).isZero();
    assertThat(of(plan, pods(2, 6, 1, 1)).capacity()).isEqualTo(2);
    assertThat(of(plan, pods(2, 600, 1, 0)).capacity()).isZero();
  }

  @Test
  void anEmptyNodePublishesItsLayout() {
    for (NamedMachines.NamedMachine named : NamedMachines.all()) {
      for (int cores = 1; cores <= 6; cores++) {
        Plan plan =
            (Plan)
                LayoutPlanner.plan(
                    List.of(new NodeClass(named.name(), 1, named.machine())),
                    Policies.exactly(cores, Policies.maxHeap(2048)));
        SlotCapacity found = of(plan, List.of());
        assertThat(found.capacity())
            .as("%s, %d cores", named.name(), cores)
            .isEqualTo(plan.layouts().get(0).slots().size());
        assertThat(found.lost()).isZero();
      }
    }
  }

  @Test
  void absurdPodsTakeAllAndNoMore() {
    List<Occupant> occupants = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      occupants.add(new Occupant("pod-" + i, Integer.MAX_VALUE, Long.MAX_VALUE, 0));
    }
    for (NamedMachines.NamedMachine named : NamedMachines.all()) {
      Plan plan = plan(named.machine(), 2);
      assertThat(of(plan, occupants).capacity()).as(named.name()).isZero();
      assertThat(of(plan, occupants.subList(0, 900)).capacity()).as(named.name()).isZero();
    }
  }
}
