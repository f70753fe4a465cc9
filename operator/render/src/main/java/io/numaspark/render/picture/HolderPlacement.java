package io.numaspark.render.picture;

import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.NumaLayout;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.render.picture.NodePicture.CacheBox;
import io.numaspark.render.picture.NodePicture.Cell;
import io.numaspark.render.picture.NodePicture.CoreBox;
import io.numaspark.render.picture.NodePicture.CpuUse;
import io.numaspark.render.picture.NodePicture.HeldBy;
import io.numaspark.render.picture.NodePicture.MemoryBox;
import io.numaspark.render.picture.NodePicture.NumaBox;
import io.numaspark.render.picture.NodePicture.SocketBox;
import io.numaspark.render.picture.NodePicture.Unheld;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds what holds each thread of a node. */
final class HolderPlacement {
  private final Layout layout;
  private final Machine machine;
  private final CpuSet stranded;
  private final Map<Integer, CpuUse> uses = new HashMap<>();

  HolderPlacement(Layout layout, List<CpuHolder> holders) {
    this.layout = layout;
    this.machine = layout.nodeClass().machine();
    this.stranded = layout.strandedCpus();
    CpuSet online = machine.topology().cpus();
    CpuSet taken = CpuSet.EMPTY;
    for (CpuHolder holder : holders) {
      if (online.containsAll(holder.cpus()) && !holder.cpus().intersects(taken)) {
        taken = taken.union(holder.cpus());
        holder.cpus().stream().forEach(cpu -> uses.put(cpu, new HeldBy(holder)));
      }
    }
  }

  /** The sockets in the order of their ids. */
  List<SocketBox> sockets() {
    Map<Integer, List<NumaBox>> bySocket = new TreeMap<>();
    for (NumaNode numaNode : machine.topology().numaNodes()) {
      bySocket.computeIfAbsent(numaNode.socket(), id -> new ArrayList<>()).add(box(numaNode));
    }
    return bySocket.entrySet().stream()
        .map(entry -> new SocketBox(entry.getKey(), entry.getValue()))
        .toList();
  }

  private NumaBox box(NumaNode numaNode) {
    NumaLayout planned =
        layout.numaNodes().stream()
            .filter(numa -> numa.numaNode() == numaNode.id())
            .findFirst()
            .orElseThrow();
    MemoryBox memory =
        new MemoryBox(
            numaNode.memoryBytes(),
            numaNode.memoryBytes() - machine.allocatableMemoryBytes(numaNode),
            planned.strandedMemoryBytes());
    return new NumaBox(numaNode.id(), memory, caches(numaNode), planned.limitedBy());
  }

  private List<CacheBox> caches(NumaNode numaNode) {
    List<CacheBox> boxes = new ArrayList<>();
    List<Core> left = new ArrayList<>(numaNode.cores());
    numaNode.caches().stream()
        .filter(cache -> !cache.isEmpty())
        .sorted(Comparator.comparingInt(CpuSet::first))
        .forEach(
            cache -> {
              List<Core> within =
                  left.stream().filter(core -> cache.intersects(core.threads())).toList();
              left.removeAll(within);
              if (!within.isEmpty()) {
                boxes.add(new CacheBox(cache, within.stream().map(this::core).toList()));
              }
            });
    if (!left.isEmpty()) {
      boxes.add(new CacheBox(CpuSet.EMPTY, left.stream().map(this::core).toList()));
    }
    return boxes;
  }

  private CoreBox core(Core core) {
    return new CoreBox(core.threads().stream().mapToObj(cpu -> new Cell(cpu, use(cpu))).toList());
  }

  private CpuUse use(int cpu) {
    CpuUse held = uses.get(cpu);
    if (held != null) {
      return held;
    }
    if (machine.reservedCpus().contains(cpu)) {
      return machine.isPinnedByRuntime() ? Unheld.SHARED : Unheld.RESERVED;
    }
    if (!stranded.contains(cpu)) {
      return Unheld.FREE;
    }
    return machine.isPinnedByRuntime() ? Unheld.SPARE : Unheld.STRANDED;
  }
}
