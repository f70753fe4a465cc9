package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Slots of our own choice, for nodes that the container runtime pins: in each NUMA node first those
 * that lie within one last-level cache, then those that cores left over from several caches make.
 *
 * <p>That is as many as cores allow: floor(sum of c / k) = sum of floor(c / k) + floor(sum of (c
 * mod k) / k). Of what caches have left, an executor gets the largest parts, and at last the
 * smallest part that suffices: so one that is larger than a cache gets whole caches, and not the
 * one that the shared cores have bitten into.
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
    List<List<Core>> left = new ArrayList<>();
    for (List<Core> cache : byCache(machine, numaNode)) {
      int whole = cache.size() / cores * cores;
      addSlots(cache.subList(0, whole), cores, slots);
      left.add(new ArrayList<>(cache.subList(whole, cache.size())));
    }
    int straddling = left.stream().mapToInt(List::size).sum() / cores;
    for (int i = 0; i < straddling; i++) {
      addSlots(taken(left, cores), cores, slots);
    }
    return slots;
  }

  /** Takes cores out of as few parts of caches as possible; there are enough of them. */
  private static List<Core> taken(List<List<Core>> left, int cores) {
    List<Core> taken = new ArrayList<>();
    while (taken.size() < cores) {
      int missing = cores - taken.size();
      List<Core> part =
          left.stream()
              .filter(cache -> cache.size() >= missing)
              .min(Comparator.comparingInt(List::size))
              .orElseGet(
                  () -> left.stream().max(Comparator.comparingInt(List::size)).orElseThrow());
      List<Core> first = part.subList(0, Math.min(missing, part.size()));
      taken.addAll(first);
      first.clear();
    }
    return taken;
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
