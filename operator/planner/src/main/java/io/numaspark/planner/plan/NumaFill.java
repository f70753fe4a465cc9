package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The kubelet's admission of equal executors in closed form.
 *
 * <p>The kubelet takes free whole cores in ascending order of core id (cpu_assignment.go:
 * takeFullCores; all free cores tie on free threads), NUMA node after NUMA node
 * (policy_single_numa_node.go: the lowest id wins) as long as CPUs and, with the Static memory
 * manager, memory last (memorymanager/policy_static.go). Limit: the CPU manager's cache option is
 * not modelled, and lone threads are never used.
 */
final class NumaFill implements SlotModel {

  @Override
  public List<Slot> slots(Machine machine, int cpus, long podBytes) {
    int cores = Math.max(1, cpus / machine.topology().threadsPerCore());
    List<Slot> slots = new ArrayList<>();
    for (NumaNode numaNode : machine.topology().numaNodes()) {
      List<Core> free = machine.freeCores(numaNode);
      int count = free.size() / cores;
      if (podBytes > 0 && machine.kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC) {
        count = (int) Math.min(count, machine.allocatableMemoryBytes(numaNode) / podBytes);
      }
      for (int i = 0; i < count; i++) {
        List<Core> own = free.subList(i * cores, (i + 1) * cores);
        slots.add(
            new Slot(numaNode.id(), CpuSet.unionOf(own.stream().map(Core::threads).toList())));
      }
    }
    return slots;
  }
}
