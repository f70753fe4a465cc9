package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Slots of our own choice, for nodes that the container runtime pins: in each NUMA node first those
 * that lie within one last-level cache, then those that cores left over from several caches make.
 *
 * <p>That is as many as cores allow: floor(sum of c / k) = sum of floor(c / k) + floor(sum of (c
 * mod k) / k). An executor larger than a cache begins with whole caches.
 */
final class RuntimeLayout implements SlotModel {

  @Override
  public List<Slot> slots(Machine machine, int cpus, long podBytes) {
    int cores = Math.max(1, cpus / machine.topology().threadsPerCore());
    List<Slot> slots = new ArrayList<>();
    for (NumaNode numaNode : machine.topology().numaNodes()) {
      List<CpuSet> here = slots(machine, numaNode, cores);
      long fitting =
          podBytes > 0 ? machine.allocatableMemoryBytes(numaNode) / podBytes : here.size();
      here.stream()
          .limit(Math.min(here.size(), fitting))
          .forEach(own -> slots.add(new Slot(numaNode.id(), own)));
    }
    return slots;
  }

  private static List<CpuSet> slots(Machine machine, NumaNode numaNode, int cores) {
    List<CpuSet> slots = new ArrayList<>();
    List<Core> left = new ArrayList<>();
    for (List<Core> cache : byCache(machine, numaNode)) {
      int whole = cache.size() / cores * cores;
      addSlots(cache.subList(0, whole), cores, slots);
      left.addAll(cache.subList(whole, cache.size()));
    }
    addSlots(left.subList(0, left.size() / cores * cores), cores, slots);
    return slots;
  }

  private static void addSlots(List<Core> whole, int cores, List<CpuSet> slots) {
    for (int first = 0; first < whole.size(); first += cores) {
      slots.add(
          CpuSet.unionOf(whole.subList(first, first + cores).stream().map(Core::threads).toList()));
    }
  }

  /** Free cores of each cache, and last those of no known one. */
  private static List<List<Core>> byCache(Machine machine, NumaNode numaNode) {
    List<Core> free = new ArrayList<>(machine.freeCores(numaNode));
    List<List<Core>> caches = new ArrayList<>();
    for (CpuSet cache : numaNode.caches()) {
      List<Core> of = free.stream().filter(core -> core.threads().intersects(cache)).toList();
      caches.add(of);
      free.removeAll(of);
    }
    caches.add(free);
    return caches;
  }
}
