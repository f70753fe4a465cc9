package io.numaspark.planner.plan;

import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Room for executors of a number of CPUs on one node of a class, for any size of their memory.
 *
 * <p>Memory only cuts off the last slots of a NUMA node, because the kubelet chooses the CPUs of an
 * executor from one NUMA node without looking at memory; so the CPUs are asked for once.
 */
final class ClassRoom {
  /** 1 PiB: no NUMA node has more, and sums over all NUMA nodes stay within 64 bits. */
  private static final long MOST_BYTES = 1L << 50;

  private final NodeClass nodeClass;
  private final int cpus;
  private final int allocatableCpus;
  private final List<NumaRoom> rooms;

  /**
   * Room in one NUMA node.
   *
   * @param bytes allocatable memory
   * @param spans how each slot that its CPUs allow lies on caches, in their order
   */
  private record NumaRoom(long bytes, List<Span> spans) {
    int slots() {
      return spans.size();
    }
  }

  /**
   * Slots on last-level caches.
   *
   * @param straddling how many slots up to this one straddle caches
   * @param domains the most caches that one slot up to this one touches
   */
  private record Span(int straddling, int domains) {}

  ClassRoom(NodeClass nodeClass, int cpus, SlotModel kubelet) {
    this.nodeClass = nodeClass;
    this.cpus = cpus;
    Machine machine = nodeClass.machine();
    this.allocatableCpus = machine.topology().cpus().minus(machine.reservedCpus()).size();
    Map<Integer, List<Slot>> slots =
        kubelet.slots(machine, cpus, 0).stream().collect(Collectors.groupingBy(Slot::numaNode));
    this.rooms =
        machine.topology().numaNodes().stream()
            .map(
                numaNode ->
                    new NumaRoom(
                        allocatableBytes(machine, numaNode),
                        spans(numaNode, slots.getOrDefault(numaNode.id(), List.of()))))
            .toList();
  }

  /** Memory of a NUMA node that pods can get, in bytes. */
  static long allocatableBytes(Machine machine, NumaNode numaNode) {
    return Math.min(MOST_BYTES, machine.allocatableMemoryBytes(numaNode));
  }

  NodeClass nodeClass() {
    return nodeClass;
  }

  /** CPUs of one node that are not reserved. */
  int allocatableCpus() {
    return allocatableCpus;
  }

  /** Slots of each NUMA node as far as CPUs decide. */
  List<Integer> slotsByCpus() {
    return rooms.stream().map(NumaRoom::slots).toList();
  }

  /**
   * Slots of each NUMA node for executors with the given memory, less the last one if all of them
   * would empty the shared pool of a kubelet with strict-cpu-reservation.
   */
  List<Integer> slots(long podBytes) {
    List<Integer> slots = admitted(podBytes);
    if (leavesOneOut(podBytes)) {
      int last = lastWithSlots(slots);
      slots.set(last, slots.get(last) - 1);
    }
    return slots;
  }

  /** Whether {@link #slots} keeps the last slot empty. */
  boolean leavesOneOut(long podBytes) {
    int slots = sum(admitted(podBytes));
    return nodeClass.machine().kubelet().hasOption(KubeletSettings.STRICT_CPU_RESERVATION)
        && slots > 0
        && slots * cpus == allocatableCpus;
  }

  private List<Integer> admitted(long podBytes) {
    List<Integer> slots = new ArrayList<>();
    long largestUncounted = countsMemory() ? 0 : largestUncountedPod();
    for (NumaRoom room : rooms) {
      if (countsMemory()) {
        slots.add((int) Math.min(room.slots(), room.bytes() / podBytes));
      } else {
        slots.add(podBytes <= largestUncounted ? room.slots() : 0);
      }
    }
    return slots;
  }

  /** How many of the given slots of each NUMA node straddle last-level caches. */
  int straddling(List<Integer> slots) {
    return spans(slots).mapToInt(Span::straddling).sum();
  }

  /** The most last-level caches that one of the given slots of each NUMA node touches. */
  int cacheDomains(List<Integer> slots) {
    return spans(slots).mapToInt(Span::domains).max().orElse(0);
  }

  private Stream<Span> spans(List<Integer> slots) {
    return IntStream.range(0, slots.size())
        .filter(i -> slots.get(i) > 0)
        .mapToObj(i -> rooms.get(i).spans().get(slots.get(i) - 1));
  }

  /** Allocatable memory of one node in bytes that the given slots leave. */
  long strandedBytes(List<Integer> slots, long podBytes) {
    return rooms.stream().mapToLong(NumaRoom::bytes).sum() - sum(slots) * podBytes;
  }

  /**
   * Calls back once for each slot with the largest memory of an executor, in bytes, at which the
   * slot is there.
   */
  void eachSlotsLargestPod(LongConsumer consumer) {
    for (NumaRoom room : rooms) {
      for (int i = 1; i <= room.slots(); i++) {
        consumer.accept(countsMemory() ? room.bytes() / i : largestUncountedPod());
      }
    }
  }

  /** Whether the kubelet counts memory for each NUMA node. */
  boolean countsMemory() {
    return nodeClass.machine().kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
  }

  /**
   * Without the Static memory manager the kubelet fills a NUMA node by CPUs alone, so every slot
   * has to find its memory there.
   */
  private long largestUncountedPod() {
    return rooms.stream()
        .filter(room -> room.slots() > 0)
        .mapToLong(room -> room.bytes() / room.slots())
        .min()
        .orElse(0);
  }

  private static int lastWithSlots(List<Integer> slots) {
    int last = slots.size() - 1;
    while (slots.get(last) == 0) {
      last--;
    }
    return last;
  }

  private static List<Span> spans(NumaNode numaNode, List<Slot> slots) {
    List<Span> spans = new ArrayList<>();
    Span last = new Span(0, 0);
    for (Slot slot : slots) {
      last =
          new Span(
              last.straddling() + (CacheSpan.straddles(numaNode, slot.cpus()) ? 1 : 0),
              Math.max(last.domains(), CacheSpan.domains(numaNode, slot.cpus())));
      spans.add(last);
    }
    return spans;
  }

  static int sum(List<Integer> slots) {
    return slots.stream().mapToInt(Integer::intValue).sum();
  }
}
