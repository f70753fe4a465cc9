package io.numaspark.planner.plan;

import static io.numaspark.planner.fixture.MachineBuilder.machine;
import static io.numaspark.planner.fixture.TopologyBuilder.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.admission.Admission;
import io.numaspark.planner.admission.KubeletSimulation;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Slots are what the kubelet admits one after another, CPUs and order included. */
class KubeletAgreementTest {

  static Stream<Arguments> machines() {
    List<Arguments> machines = new ArrayList<>();
    for (int sockets = 1; sockets <= 2; sockets++) {
      for (int numaNodes = 1; numaNodes <= 2; numaNodes++) {
        for (int threads : new int[] {1, 2, 4}) {
          NodeTopology topology =
              unevenMemory(
                  TopologyBuilder.sockets(sockets)
                      .numaNodesPerSocket(numaNodes)
                      .cores(6)
                      .threads(threads)
                      .coresPerCache(3)
                      .build());
          String firstCore = topology.cores().get(0).threads().toString();
          String lastCore = topology.cores().get(topology.cores().size() - 1).threads().toString();
          for (String reserved : List.of(firstCore, lastCore, firstCore + "," + lastCore)) {
            for (MachineBuilder builder : withOptions(topology)) {
              Machine machine = builder.reserving(reserved).reservingMemory(GIB).build();
              machines.add(
                  Arguments.of(
                      "%d sockets, %d NUMA nodes each, %d threads, %s reserved, %s"
                          .formatted(
                              sockets,
                              numaNodes,
                              threads,
                              reserved,
                              machine.kubelet().cpuManager().options().keySet()),
                      machine));
            }
          }
        }
      }
    }
    return machines.stream();
  }

  private static List<MachineBuilder> withOptions(NodeTopology topology) {
    return List.of(
        machine(topology),
        machine(topology).with(MemoryManagerPolicy.NONE),
        machine(topology).with(KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA),
        machine(topology).with(KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE));
  }

  /** NUMA node i has 2 + 3i GiB. */
  private static NodeTopology unevenMemory(NodeTopology topology) {
    return new NodeTopology(
        topology.numaNodes().stream()
            .map(
                node ->
                    new NumaNode(
                        node.id(),
                        node.socket(),
                        (2 + 3L * node.id()) * GIB,
                        0,
                        node.distances(),
                        node.cores(),
                        node.caches()))
            .toList());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("machines")
  void slotsAreWhatIsAdmitted(String name, Machine machine) {
    int threads = machine.topology().threadsPerCore();
    for (int cores = 1; cores <= 6; cores++) {
      for (long podBytes : new long[] {1, GIB / 3, GIB, 2 * GIB + 1, 5 * GIB}) {
        assertThat(LayoutPlanner.NODE.slots(machine, cores * threads, podBytes))
            .as("%d cores, %d bytes", cores, podBytes)
            .isEqualTo(admitted(machine, cores * threads, podBytes));
      }
    }
  }

  @Test
  void memoryOnlyCutsOffTheLastSlotsOfANumaNode() {
    // What lets the planner ask for CPUs once for all sizes of memory, options or not.
    Machine machine = NamedMachines.machine("epyc-2x96-nps1-uncore");
    List<Slot> all = LayoutPlanner.NODE.slots(machine, 12, 0);
    List<Slot> some = LayoutPlanner.NODE.slots(machine, 12, 100 * GIB);
    assertThat(all).hasSize(31);
    assertThat(some).hasSize(14);
    for (int id = 0; id <= 1; id++) {
      int numaNode = id;
      assertThat(some.stream().filter(slot -> slot.numaNode() == numaNode))
          .containsExactlyElementsOf(
              all.stream().filter(slot -> slot.numaNode() == numaNode).limit(7).toList());
    }
  }

  @Test
  void theLayoutOfAPlanIsWhatIsAdmitted() {
    for (NamedMachines.NamedMachine named : NamedMachines.all()) {
      PlanResult.Plan plan = Plans.plan(named.machine(), Policies.between(2, 6));
      assertThat(plan.layouts().get(0).slots())
          .as(named.name())
          .isEqualTo(
              admitted(
                  named.machine(), plan.shape().cpus().cpus(), plan.shape().memory().podBytes()));
    }
  }

  private static List<Slot> admitted(Machine machine, int cpus, long podBytes) {
    assertThat(KubeletSimulation.start(machine))
        .isInstanceOf(KubeletSimulation.Start.Started.class);
    KubeletSimulation kubelet =
        ((KubeletSimulation.Start.Started) KubeletSimulation.start(machine)).kubelet();
    List<Slot> slots = new ArrayList<>();
    while (kubelet.admit(PodRequest.guaranteed("pod-" + slots.size(), cpus, podBytes))
        instanceof Admission.Admitted admitted) {
      CpuSet own = CpuSet.unionOf(admitted.containers().values());
      slots.add(new Slot(admitted.numaNodes().get(0), own));
    }
    return slots;
  }
}
