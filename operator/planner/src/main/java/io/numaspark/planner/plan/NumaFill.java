package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills a machine's NUMA nodes with executors of one size, and predicts the CPUs that the kubelet
 * hands out.
 *
 * <p>For equal executors the kubelet takes free whole cores in ascending order of core id
 * (cpu_assignment.go: takeFullCores; all free cores tie on free threads), NUMA node after NUMA node
 * (policy_single_numa_node.go: the lowest id wins). Limit: pods of other sizes and the CPU
 * manager's cache and distribution options are not modelled here.
 */
final class NumaFill {
  private final Machine machine;
  private final ExecutorCpus cpus;

  NumaFill(Machine machine, ExecutorCpus cpus) {
    this.machine = machine;
    this.cpus = cpus;
  }

  /** Executors that the free whole cores of a NUMA node hold. */
  int slots(NumaNode numaNode) {
    return machine.freeCores(numaNode).size() / cpus.cores();
  }

  int slots() {
    return machine.topology().numaNodes().stream().mapToInt(this::slots).sum();
  }

  /** CPUs that are neither reserved nor in a slot. */
  int strandedCpus() {
    int allocatable = machine.topology().cpus().minus(machine.reservedCpus()).size();
    return allocatable - slots() * cpus.cpus();
  }

  /** The layouts of all NUMA nodes, leaving out the last slots if told so. */
  List<NumaLayout> layouts(long podBytes, int leaveOut) {
    int left = slots() - leaveOut;
    List<NumaLayout> layouts = new ArrayList<>();
    for (NumaNode numaNode : machine.topology().numaNodes()) {
      int slots = Math.min(slots(numaNode), left);
      layouts.add(layout(numaNode, slots, podBytes));
      left -= slots;
    }
    return layouts;
  }

  /** The layouts of a machine without any slot. */
  static List<NumaLayout> empty(Machine machine, String because) {
    CpuSet reserved = machine.reservedCpus();
    return machine.topology().numaNodes().stream()
        .map(
            numaNode ->
                new NumaLayout(
                    numaNode.id(),
                    List.of(),
                    numaNode.cpus().intersect(reserved),
                    numaNode.cpus().minus(reserved),
                    machine.allocatableMemoryBytes(numaNode),
                    because))
        .toList();
  }

  private NumaLayout layout(NumaNode numaNode, int count, long podBytes) {
    List<Core> free = machine.freeCores(numaNode);
    List<Slot> slots = new ArrayList<>();
    CpuSet taken = CpuSet.EMPTY;
    for (int i = 0; i < count; i++) {
      CpuSet slot =
          CpuSet.unionOf(
              free.subList(i * cpus.cores(), (i + 1) * cpus.cores()).stream()
                  .map(Core::threads)
                  .toList());
      slots.add(new Slot(numaNode.id(), slot));
      taken = taken.union(slot);
    }
    CpuSet reserved = numaNode.cpus().intersect(machine.reservedCpus());
    return new NumaLayout(
        numaNode.id(),
        slots,
        reserved,
        numaNode.cpus().minus(reserved).minus(taken),
        machine.allocatableMemoryBytes(numaNode) - count * podBytes,
        limit(numaNode, free.size() - count * cpus.cores(), count));
  }

  private String limit(NumaNode numaNode, int coresLeft, int count) {
    if (numaNode.cores().isEmpty()) {
      return "it has only memory";
    }
    if (coresLeft == 0) {
      return "every core is used";
    }
    if (coresLeft >= cpus.cores()) {
      return "one slot is left out so that the kubelet can restart";
    }
    return "an executor needs %d cores and %d of %d free cores are left"
        .formatted(cpus.cores(), coresLeft, coresLeft + count * cpus.cores());
  }
}
