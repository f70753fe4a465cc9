package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.Policies.MIB;
import static io.numaspark.planner.fixture.Policies.between;
import static io.numaspark.planner.fixture.Policies.preferring;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What must hold for every plan, tried on all small machines. */
class SmallWorldTest {

  @Test
  void everyPlanOfEveryPreferredSize() {
    int plans = 0;
    for (Machine machine : machines()) {
      for (int cores = 1; cores <= 5; cores++) {
        ShapePolicy policy = preferring(cores, 1, 5);
        PlanResult result = plan(machine, policy);
        check(result, machine);
        if (result instanceof Plan) {
          plans++;
        }
        assertThat(plan(machine, policy)).isEqualTo(result);
      }
    }
    assertThat(plans).isGreaterThan(2_000);
  }

  @Test
  void theChosenSizeIsTheBestOfItsRange() {
    for (Machine machine : machines()) {
      PlanResult result = plan(machine, between(1, 5));
      check(result, machine);
      if (result instanceof Plan chosen && !isStrict(machine)) {
        Map<Integer, Integer> stranded = new HashMap<>();
        for (int cores = 1; cores <= 5; cores++) {
          if (plan(machine, between(cores, cores)) instanceof Plan candidate) {
            stranded.put(cores, candidate.layouts().get(0).strandedCpus().size());
          }
        }
        int allocatable = machine.topology().cpus().minus(machine.reservedCpus()).size();
        double accepted = Collections.min(stranded.values()) + allocatable / 10.0;
        stranded.values().removeIf(cpus -> cpus > accepted);
        if (Collections.max(stranded.keySet()) >= 4) {
          stranded.keySet().removeIf(cores -> cores < 4);
          double narrow = Collections.min(stranded.values()) + allocatable / 20.0;
          stranded.values().removeIf(cpus -> cpus > narrow);
        }
        // Up to 6 cores the largest that strands few enough.
        assertThat(chosen.shape().cpus().cores()).isEqualTo(Collections.max(stranded.keySet()));
      }
    }
  }

  private static void check(PlanResult result, Machine machine) {
    Layout layout = result.layouts().get(0);
    if (result instanceof Plan plan) {
      checkSlots(plan, layout, machine);
    } else {
      Shortfall shortfall = (Shortfall) result;
      assertThat(layout.slots()).isEmpty();
      assertThat(shortfall.message()).isNotBlank();
      assertThat(shortfall.remedy()).isNotBlank();
    }
    for (NumaLayout numaNode : layout.numaNodes()) {
      checkNothingIsLost(numaNode, machine, result);
    }
  }

  private static void checkSlots(Plan plan, Layout layout, Machine machine) {
    List<CpuSet> seen = new ArrayList<>();
    for (Slot slot : layout.slots()) {
      NumaNode home =
          machine.topology().numaNodes().stream()
              .filter(node -> node.id() == slot.numaNode())
              .findFirst()
              .orElseThrow();
      assertThat(home.cpus().containsAll(slot.cpus())).as("inside one NUMA node").isTrue();
      assertThat(slot.cpus().size()).isEqualTo(plan.shape().cpus().cpus());
      assertThat(slot.cpus().intersects(machine.reservedCpus())).as("reserved").isFalse();
      assertThat(home.cores().stream().map(Core::threads).filter(slot.cpus()::intersects))
          .as("whole cores")
          .hasSize(plan.shape().cpus().cores())
          .allMatch(slot.cpus()::containsAll);
      assertThat(seen).as("disjoint").noneMatch(slot.cpus()::intersects);
      seen.add(slot.cpus());
    }
  }

  private static void checkNothingIsLost(NumaLayout numaNode, Machine machine, PlanResult result) {
    NumaNode node = machine.topology().numaNodes().get(numaNode.numaNode());
    CpuSet inSlots = CpuSet.unionOf(numaNode.slots().stream().map(Slot::cpus).toList());
    assertThat(inSlots.intersects(numaNode.strandedCpus())).isFalse();
    assertThat(numaNode.reservedCpus().intersects(numaNode.strandedCpus())).isFalse();
    assertThat(inSlots.union(numaNode.reservedCpus()).union(numaNode.strandedCpus()))
        .isEqualTo(node.cpus());
    assertThat(numaNode.limitedBy()).isNotBlank();
    long used =
        result instanceof Plan plan
            ? numaNode.slots().size() * plan.shape().memory().podBytes()
            : 0;
    assertThat(numaNode.strandedMemoryBytes()).isNotNegative();
    assertThat(used + numaNode.strandedMemoryBytes())
        .isEqualTo(machine.allocatableMemoryBytes(node));
    if (result instanceof Plan plan && !isStrict(machine)) {
      int coresLeft = machine.freeCores(node).size() - numaNode.slots().size() * cores(plan);
      assertThat(
              coresLeft >= cores(plan)
                  && numaNode.strandedMemoryBytes() >= plan.shape().memory().podBytes())
          .as("room for another executor")
          .isFalse();
    }
  }

  private static int cores(Plan plan) {
    return plan.shape().cpus().cores();
  }

  private static boolean isStrict(Machine machine) {
    return machine.kubelet().hasOption(KubeletSettings.STRICT_CPU_RESERVATION);
  }

  private static PlanResult plan(Machine machine, ShapePolicy policy) {
    return LayoutPlanner.plan(List.of(new NodeClass("a", 3, machine)), policy);
  }

  private static List<Machine> machines() {
    List<Machine> machines = new ArrayList<>();
    for (NodeTopology topology : topologies()) {
      int all = topology.cpus().size();
      String firsts =
          CpuSet.unionOf(
                  topology.numaNodes().stream().map(n -> n.cores().get(0).threads()).toList())
              .toString();
      List<MachineBuilder> builders = new ArrayList<>();
      for (int count = 1; count <= Math.min(4, all); count++) {
        builders.add(machine(topology).reservingCount(count));
      }
      builders.add(machine(topology).reserving(firsts));
      builders.add(machine(topology).reserving(String.valueOf(all - 1)));
      builders.add(
          machine(topology).reservingCount(1).with(KubeletSettings.STRICT_CPU_RESERVATION));
      builders.add(
          machine(topology)
              .reserving(firsts)
              .with(KubeletSettings.STRICT_CPU_RESERVATION)
              .without(KubeletSettings.FULL_PCPUS_ONLY));
      builders.forEach(builder -> machines.add(builder.reservingMemory(100 * MIB).build()));
    }
    return machines;
  }

  private static List<NodeTopology> topologies() {
    List<NodeTopology> topologies = new ArrayList<>();
    for (int sockets = 1; sockets <= 2; sockets++) {
      for (int numaNodes = 1; numaNodes <= 2; numaNodes++) {
        for (int cores = 1; cores <= 5; cores++) {
          for (int threads : new int[] {1, 2, 4}) {
            TopologyBuilder builder =
                TopologyBuilder.sockets(sockets)
                    .numaNodesPerSocket(numaNodes)
                    .cores(cores)
                    .threads(threads)
                    .memoryBytes(3 * GIB + 12_345_678);
            topologies.add(builder.build());
            topologies.add(builder.adjacentSiblings().build());
          }
        }
      }
    }
    return topologies;
  }
}
