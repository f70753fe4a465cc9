package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.jvm.HeapLimits;
import io.numaspark.planner.jvm.PageCachePolicy;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Lays executors of a chosen shape out on one node of a class, and says what limits them. */
final class LayoutBuilder {
  /** Part of a NUMA node, in percent, that may be left beyond what is to stay free. */
  private static final int UNSPENT_PERCENT = 20;

  private final ExecutorShape shape;
  private final ShapePolicy policy;
  private final SlotModel model;
  private final long leastPodBytes;

  LayoutBuilder(ExecutorShape shape, ShapePolicy policy, SlotModel model) {
    this.shape = shape;
    this.policy = policy;
    this.model = model;
    this.leastPodBytes = policy.memory().leastPodBytes(shape.memory());
  }

  /** The layout of a class that can be used, with its findings and those about the shape. */
  Layout layout(NodeClass nodeClass, List<Finding> classFindings) {
    ClassRoom room =
        new ClassRoom(nodeClass, shape.cpus().cpus(), model, policy.memory().freePercent());
    long podBytes = shape.memory().podBytes();
    boolean leavesOneOut = room.leftOutOf(podBytes).isPresent();
    List<Finding> findings = new ArrayList<>(classFindings);
    addHeapFinding(findings);
    if (leavesOneOut) {
      findings.add(
          new Finding(
              Severity.WARNING,
              Reason.STRICT_RESERVATION_FULLY_PACKED,
              "with strict-cpu-reservation and every other CPU exclusive the shared pool is empty and a restarted kubelet"
                  + " refuses its state; one slot is left out",
              "switch strict-cpu-reservation off, or choose an executor size that leaves a core free"));
    }
    List<Integer> counts = room.slots(podBytes);
    addMemoryFinding(findings, nodeClass.machine(), counts, room.slotsByCpus(), leavesOneOut);
    new ReservationSearch(nodeClass, shape, policy, model)
        .better()
        .ifPresent(advice -> findings.add(advice.finding()));
    List<NumaLayout> numaNodes = numaNodes(nodeClass.machine(), room, counts);
    addUnspentFinding(findings, nodeClass.machine(), numaNodes);
    return new Layout(nodeClass, numaNodes, findings);
  }

  /** The layout of a class without any slot. */
  static Layout empty(NodeClass nodeClass, List<Finding> findings, String because) {
    Machine machine = nodeClass.machine();
    CpuSet reserved = machine.reservedCpus();
    List<NumaLayout> numaNodes =
        machine.topology().numaNodes().stream()
            .map(
                numaNode ->
                    new NumaLayout(
                        numaNode.id(),
                        List.of(),
                        numaNode.cpus().intersect(reserved),
                        numaNode.cpus().minus(reserved),
                        ClassRoom.allocatableBytes(machine, numaNode),
                        because))
            .toList();
    return new Layout(nodeClass, numaNodes, findings);
  }

  private List<NumaLayout> numaNodes(Machine machine, ClassRoom room, List<Integer> counts) {
    int leftOutOf = room.leftOutOf(shape.memory().podBytes()).orElse(-1);
    List<NumaLayout> layouts = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      layouts.add(
          numaNode(
              machine,
              machine.topology().numaNodes().get(i),
              room.firstSlots(i, counts.get(i)),
              i == leftOutOf));
    }
    return layouts;
  }

  private NumaLayout numaNode(
      Machine machine, NumaNode numaNode, List<Slot> slots, boolean leavesOneOut) {
    CpuSet reserved = numaNode.cpus().intersect(machine.reservedCpus());
    CpuSet taken = CpuSet.unionOf(slots.stream().map(Slot::cpus).toList());
    long forExecutors = ClassRoom.executorBytes(machine, numaNode, policy.memory().freePercent());
    int coresFree = machine.freeCores(numaNode).size();
    return new NumaLayout(
        numaNode.id(),
        slots,
        reserved,
        numaNode.cpus().minus(reserved).minus(taken),
        ClassRoom.allocatableBytes(machine, numaNode) - slots.size() * shape.memory().podBytes(),
        leavesOneOut
            ? "one slot is left out so that the kubelet can restart"
            : limit(
                numaNode, coresFree, slots.size(), forExecutors - slots.size() * leastPodBytes));
  }

  private String limit(NumaNode numaNode, int coresFree, int count, long bytesLeft) {
    int cores = shape.cpus().cores();
    int coresLeft = coresFree - count * cores;
    if (numaNode.cores().isEmpty()) {
      return "it has only memory";
    }
    if (coresLeft == 0) {
      return "every core is used";
    }
    if (coresLeft < cores) {
      return "an executor needs %d %s and %d of %d free cores are left"
          .formatted(cores, cores == 1 ? "core" : "cores", coresLeft, coresFree);
    }
    if (bytesLeft < leastPodBytes) {
      return "an executor needs %d MiB and %d MiB are left, with %d of %d cores free"
          .formatted(
              leastPodBytes / ExecutorMemory.MIB,
              bytesLeft / ExecutorMemory.MIB,
              coresLeft,
              coresFree);
    }
    return "a NUMA node lacks memory for the executors that its cores hold, and memoryManagerPolicy None counts none";
  }

  private void addMemoryFinding(
      List<Finding> findings,
      Machine machine,
      List<Integer> slots,
      List<Integer> slotsByCpus,
      boolean leavesOneOut) {
    Map<String, List<String>> limited = new LinkedHashMap<>();
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i) < slotsByCpus.get(i) && !leavesOneOut) {
        limited
            .computeIfAbsent(
                "cores for %d %s but memory for %d"
                    .formatted(
                        slotsByCpus.get(i),
                        slotsByCpus.get(i) == 1 ? "executor" : "executors",
                        slots.get(i)),
                room -> new ArrayList<>())
            .add(String.valueOf(machine.topology().numaNodes().get(i).id()));
      }
    }
    if (!limited.isEmpty()) {
      findings.add(
          new Finding(
              Severity.INFO,
              Reason.MEMORY_LIMITS_SLOTS,
              limited.entrySet().stream()
                      .map(entry -> room(entry.getValue(), entry.getKey()))
                      .collect(Collectors.joining("; "))
                  + " (%d MiB each)".formatted(leastPodBytes / ExecutorMemory.MIB),
              "lower spec.executor.maxHeap for more and smaller executors, give nodes with less memory a profile of"
                  + " their own, or "
                  + (machine.isPinnedByRuntime()
                      ? "lower spec.pinning.sharedMemory"
                      : "set memoryManagerPolicy: Static if it is None")));
    }
  }

  /**
   * Memory beyond what is to stay free, where another NUMA node has less for each executor. A NUMA
   * node with fewer executors than others of the node leaves more, and its cores say why.
   */
  private void addUnspentFinding(
      List<Finding> findings, Machine machine, List<NumaLayout> numaNodes) {
    PageCachePolicy pageCache = policy.memory().pageCache();
    if (shape.memory().pageCacheBytes() + ExecutorMemory.MIB > pageCache.maxBytes()) {
      return;
    }
    int fullest = numaNodes.stream().mapToInt(layout -> layout.slots().size()).max().orElse(0);
    List<String> unspent = new ArrayList<>();
    for (int i = 0; i < numaNodes.size(); i++) {
      NumaLayout layout = numaNodes.get(i);
      long bytes = ClassRoom.allocatableBytes(machine, machine.topology().numaNodes().get(i));
      long percent = layout.strandedMemoryBytes() / Math.max(1, bytes / 100);
      if (layout.slots().size() == fullest
          && fullest > 0
          && percent > policy.memory().freePercent() + UNSPENT_PERCENT) {
        unspent.add(
            "NUMA node %d leaves %d of %d MiB"
                .formatted(
                    layout.numaNode(),
                    layout.strandedMemoryBytes() / ExecutorMemory.MIB,
                    bytes / ExecutorMemory.MIB));
      }
    }
    if (!unspent.isEmpty()) {
      findings.add(
          new Finding(
              Severity.INFO,
              Reason.MEMORY_UNSPENT,
              String.join(", ", unspent)
                  + " to other pods: all executors are alike, and another NUMA node of the profile has less for each",
              "none is needed if other pods use it; otherwise give nodes with less memory for each executor a profile of their"
                  + " own, and all NUMA nodes of a node as many cores and as much memory for each core"));
    }
  }

  private static String room(List<String> numaNodes, String room) {
    return (numaNodes.size() == 1 ? "NUMA node %s has %s" : "NUMA nodes %s have %s each")
        .formatted(String.join(", ", numaNodes), room);
  }

  private void addHeapFinding(List<Finding> findings) {
    long heap = shape.memory().heapBytes();
    HeapLimits limits = policy.jvm().heapLimits();
    if (heap > limits.compressedBytes()) {
      findings.add(
          new Finding(
              Severity.WARNING,
              Reason.HEAP_NOT_COMPRESSED,
              "a heap of %d MiB has 8-byte object pointers".formatted(heap / ExecutorMemory.MIB),
              limits.remedy() + ", or take more and smaller executors"));
    } else if (heap > limits.zeroBasedBytes()) {
      findings.add(
          new Finding(
              Severity.INFO,
              Reason.HEAP_NOT_ZERO_BASED,
              "a heap of %d MiB has compressed object pointers that need a base added"
                  .formatted(heap / ExecutorMemory.MIB),
              limits.remedy()));
    }
  }
}
