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
import io.numaspark.render.picture.Brick.Kind;
import io.numaspark.render.picture.Brick.Memory;
import io.numaspark.render.picture.Brick.Owner;
import io.numaspark.render.picture.Pinning.Verdict;
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

  static Brick executor(String application, int id, String cpus, Pinning pinning) {
    return new Brick(
        Kind.EXECUTOR,
        String.valueOf(id),
        Optional.of(new Owner(application, Optional.of(application + "-exec-" + id))),
        CpuSet.parse(cpus),
        Optional.of(new Memory(GIB, GIB + GIB / 2)),
        pinning);
  }

  static Brick executor(String application, int id, String cpus) {
    return executor(application, id, cpus, Pinning.of(Verdict.PINNED));
  }

  static Brick pod(String name, String cpus) {
    return new Brick(
        Kind.POD,
        name,
        Optional.empty(),
        CpuSet.parse(cpus),
        Optional.empty(),
        Pinning.of(Verdict.UNKNOWN));
  }

  static Picture of(NodePicture... nodes) {
    return new Picture("Nodes", List.of("What runs where."), List.of(nodes), List.of(), List.of());
  }

  static NodePicture node(String name, Layout layout, Brick... bricks) {
    return NodePicture.of(
        name,
        layout.nodeClass().machine().topology().describe(),
        layout,
        List.of(bricks),
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
                new Pinning(
                    Verdict.NOT_PINNED,
                    "it may run on 4 CPUs (0-1,6-7) instead of 4 of its own: the kubelet keeps it in the shared pool;"
                        + " give all containers of its pod whole CPUs and equal limits")),
            executor(
                "report",
                1,
                "8-11",
                new Pinning(
                    Verdict.UNKNOWN, "the executor has not registered with the driver yet")),
            executor(
                "report",
                7,
                "6-7,12-13",
                new Pinning(
                    Verdict.NOT_PINNED,
                    "its CPUs 6-7,12-13 are on several NUMA nodes; set topologyManagerPolicy: single-numa-node")),
            pod("monitoring/profiler", "14-15")));
  }

  /** Names that would be markup, and that are too long for a brick. */
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
    List<Brick> bricks = new ArrayList<>();
    for (Slot slot : layout.slots()) {
      int i = bricks.size();
      bricks.add(
          executor(
              applications[i % applications.length],
              i / applications.length + 1,
              slot.cpus().toString()));
    }
    return of(node(machine, layout, bricks.toArray(Brick[]::new)));
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
