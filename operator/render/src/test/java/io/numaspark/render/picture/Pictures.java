package io.numaspark.render.picture;

import io.numaspark.planner.fixture.MachineBuilder;
import io.numaspark.planner.fixture.NamedMachines;
import io.numaspark.planner.fixture.Policies;
import io.numaspark.planner.fixture.TopologyBuilder;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.plan.Slot;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.picture.CpuHolder.Kind;
import io.numaspark.render.picture.CpuHolder.Memory;
import io.numaspark.render.picture.CpuHolder.Owner;
import io.numaspark.render.picture.PinState.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Pictures of nodes with executors: what the tests of this package draw. */
final class Pictures {
  static final long GIB = TopologyBuilder.GIB;

  /** A name with every character that means something in SVG and HTML. */
  static final String NASTY = "</text><script>\"x\"&'y'\u0007\u202e";

  private Pictures() {}

  static Layout layout(Machine machine, ShapePolicy policy) {
    return LayoutPlanner.plan(List.of(new NodeClass("class", 1, machine)), policy).layouts().get(0);
  }

  /** The lab's machine: 2 sockets of 4 cores, the first core reserved. */
  static Machine lab(String reserved) {
    return MachineBuilder.machine(
            TopologyBuilder.sockets(2)
                .cores(4)
                .threads(2)
                .adjacentSiblings()
                .memoryBytes(5 * GIB)
                .build())
        .reserving(reserved)
        .reservingMemory(GIB / 4)
        .build();
  }

  static CpuHolder executor(String application, int id, String cpus, PinState pinning) {
    return new CpuHolder(
        Kind.EXECUTOR,
        String.valueOf(id),
        Optional.of(new Owner(application, Optional.of(application + "-exec-" + id))),
        CpuSet.parse(cpus),
        Optional.of(new Memory(GIB, GIB / 4, GIB + GIB / 2)),
        pinning);
  }

  static CpuHolder executor(String application, int id, String cpus) {
    return executor(application, id, cpus, PinState.of(Verdict.PINNED));
  }

  static CpuHolder pod(String name, String cpus) {
    return new CpuHolder(
        Kind.POD,
        name,
        Optional.empty(),
        CpuSet.parse(cpus),
        Optional.empty(),
        PinState.of(Verdict.UNKNOWN));
  }

  static Picture of(NodePicture... nodes) {
    return new Picture("Nodes", List.of("What runs where."), List.of(nodes), List.of(), List.of());
  }

  static NodePicture node(String name, Layout layout, CpuHolder... holders) {
    return NodePicture.of(
        name,
        layout.nodeClass().machine().topology().describe(),
        layout,
        List.of(holders),
        layout.findings().stream().map(Note::of).toList());
  }

  /**
   * Two applications, one of whose executors is in the shared pool, and one that nobody tells of.
   */
  static Picture unpinned() {
    Layout layout = layout(lab("0-1"), Policies.exactly(2));
    return of(
        node(
            "numa-0",
            layout,
            executor("etl", 1, "2-5"),
            executor(
                "etl",
                2,
                "",
                new PinState(
                    Verdict.NOT_PINNED,
                    "it may run on 4 CPUs (0-1,6-7) instead of 4 of its own: the kubelet keeps it in the shared pool;"
                        + " give all containers of its pod whole CPUs and equal limits")),
            executor(
                "report",
                1,
                "8-11",
                new PinState(
                    Verdict.UNKNOWN, "the executor has not registered with the driver yet")),
            executor(
                "report",
                7,
                "6-7,12-13",
                new PinState(
                    Verdict.NOT_PINNED,
                    "its CPUs 6-7,12-13 are on several NUMA nodes; set topologyManagerPolicy: single-numa-node")),
            pod("monitoring/profiler", "14-15")));
  }

  /** Names that would be markup, and that are too long for a holder. */
  static Picture nasty() {
    Layout layout = layout(lab("0-1"), Policies.exactly(1));
    NodePicture node =
        NodePicture.of(
            NASTY,
            NASTY,
            layout,
            List.of(
                executor(NASTY, 1, "2-3"),
                executor(
                    "an-application-with-a-name-of-sixty-three-characters-like-this-1", 2, "4-5"),
                pod(NASTY, "8-9")),
            List.of(new Note(Severity.ERROR, NASTY, NASTY, NASTY)));
    return new Picture(NASTY, List.of(NASTY), List.of(node), node.notes(), List.of());
  }

  /** One thread of a core is reserved, the other can be used by nobody. */
  static Picture loneThread() {
    Layout layout = layout(lab("0"), Policies.exactly(1));
    return of(node("lone", layout, executor("etl", 1, "2-3"), executor("etl", 2, "9-11")));
  }

  /** Every slot of a machine taken, the applications in turn. */
  static Picture full(String machine, int cores, String... applications) {
    Layout layout = layout(NamedMachines.machine(machine), Policies.between(cores, cores));
    List<CpuHolder> holders = new ArrayList<>();
    for (Slot slot : layout.slots()) {
      int i = holders.size();
      holders.add(
          executor(
              applications[i % applications.length],
              i / applications.length + 1,
              slot.cpus().toString()));
    }
    return of(node(machine, layout, holders.toArray(CpuHolder[]::new)));
  }

  static Picture epyc() {
    return full("epyc-2x96-nps4", 4, "etl", "report", "training");
  }

  static Picture power8() {
    return full("power8-2x12-smt8-4numa", 5, "tpch");
  }

  static Picture memoryOnly() {
    return full("cxl-2x32", 6, "etl");
  }
}
