package io.numaspark.planner.plan;

import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
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
   * @param bytes memory for executors
   * @param admitted the slots that its CPUs allow, in their order
   * @param spans how each of them lies on caches
   */
  private record NumaRoom(long bytes, List<Slot> admitted, List<Span> spans) {
    static NumaRoom of(NumaNode numaNode, long bytes, List<Slot> admitted) {
      return new NumaRoom(bytes, admitted, ClassRoom.spans(numaNode, admitted));
    }

    int slots() {
      return admitted.size();
    }
  }

  /**
   * Slots on last-level caches.
   *
   * @param straddling how many slots up to this one straddle caches
   * @param domains the most caches that one slot up to this one touches
   */
  private record Span(int straddling, int domains) {}

  /**
   * @param freePercent what executors leave to other pods, see MemoryPolicy
   */
  ClassRoom(NodeClass nodeClass, int cpus, SlotModel model, int freePercent) {
    this.nodeClass = nodeClass;
    this.cpus = cpus;
    Machine machine = nodeClass.machine();
    this.allocatableCpus = allocatableCpus(machine);
    Map<Integer, List<Slot>> slots =
        model.slots(machine, cpus, 0).stream().collect(Collectors.groupingBy(Slot::numaNode));
    this.rooms =
        machine.topology().numaNodes().stream()
            .map(
                numaNode ->
                    NumaRoom.of(
                        numaNode,
                        executorBytes(machine, numaNode, freePercent),
                        slots.getOrDefault(numaNode.id(), List.of())))
            .toList();
  }

  /** CPUs of a machine that are not reserved. */
  static int allocatableCpus(Machine machine) {
    return machine.topology().cpus().minus(machine.reservedCpus()).size();
  }

  /** Memory of a NUMA node that pods can get, in bytes. */
  static long allocatableBytes(Machine machine, NumaNode numaNode) {
    return Math.min(MOST_BYTES, machine.allocatableMemoryBytes(numaNode));
  }

  /** Memory of a NUMA node for executors, in bytes: what pods can get, less what stays free. */
  static long executorBytes(Machine machine, NumaNode numaNode, int freePercent) {
    long bytes = allocatableBytes(machine, numaNode);
    return machine.isPinnedByRuntime() ? bytes : bytes - bytes / 100 * freePercent;
  }

  NodeClass nodeClass() {
    return nodeClass;
  }

  /** CPUs of one node that are not reserved. */
  int allocatableCpus() {
    return allocatableCpus;
  }

  /** The first slots of a NUMA node, in the order in which the kubelet fills them. */
  List<Slot> firstSlots(int numaNodeIndex, int count) {
    return rooms.get(numaNodeIndex).admitted().subList(0, count);
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
    leftOutOf(podBytes).ifPresent(last -> slots.set(last, slots.get(last) - 1));
    return slots;
  }

  /** Index of the NUMA node whose last slot is kept empty, see {@link #slots}. */
  OptionalInt leftOutOf(long podBytes) {
    List<Integer> slots = admitted(podBytes);
    boolean empties =
        nodeClass.machine().kubelet().hasOption(KubeletSettings.STRICT_CPU_RESERVATION)
            && sum(slots) * cpus == allocatableCpus;
    return IntStream.range(0, slots.size())
        .filter(i -> empties && slots.get(i) > 0)
        .reduce((one, later) -> later);
  }

  /**
   * The size in bytes to which every executor of the given size can grow without the loss of a
   * slot.
   *
   * @return {@link Long#MAX_VALUE} if the class has no slot
   */
  long share(long podBytes) {
    List<Integer> slots = admitted(podBytes);
    return IntStream.range(0, slots.size())
        .filter(i -> slots.get(i) > 0)
        .mapToLong(i -> rooms.get(i).bytes() / slots.get(i))
        .min()
        .orElse(Long.MAX_VALUE);
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
    Machine machine = nodeClass.machine();
    long all =
        machine.topology().numaNodes().stream()
            .mapToLong(numaNode -> allocatableBytes(machine, numaNode))
            .sum();
    return all - sum(slots) * podBytes;
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
