package io.numaspark.render.fleet;

import io.numaspark.planner.plan.ExecutorShape;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.Slot;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.picture.CpuHolder;
import io.numaspark.render.picture.Note;
import io.numaspark.render.picture.PinState;
import io.numaspark.render.picture.PinState.Verdict;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node class as it was planned, in the words and holders of pictures.
 *
 * @param nodes the names of its nodes, in order
 * @param shape empty if no executor fits
 */
public record PlannedClass(Layout layout, List<String> nodes, Optional<ExecutorShape> shape) {
  public PlannedClass {
    nodes = List.copyOf(nodes);
  }

  /** The classes of a plan, in the order of their first nodes. */
  public static List<PlannedClass> of(ProfilePlan plan) {
    Map<Layout, List<String>> classes = new LinkedHashMap<>();
    plan.layoutByNode()
        .forEach(
            (name, layout) -> classes.computeIfAbsent(layout, l -> new ArrayList<>()).add(name));
    Optional<ExecutorShape> shape =
        plan.result() instanceof Plan found ? Optional.of(found.shape()) : Optional.empty();
    return classes.entrySet().stream()
        .map(entry -> new PlannedClass(entry.getKey(), entry.getValue(), shape))
        .toList();
  }

  /** Nodes of a plan that are in no class, because their topology is unknown or not as expected. */
  public static List<Note> withoutClass(ProfilePlan plan) {
    return plan.unusable().stream()
        .filter(unusable -> !plan.layoutByNode().containsKey(unusable.node()))
        .map(PlannedClass::note)
        .toList();
  }

  private static Note note(Unusable unusable) {
    return new Note(
        Severity.ERROR,
        unusable.reason() + " on " + unusable.node(),
        unusable.problem(),
        unusable.remedy());
  }

  /** Its heading: the first node, and how many there are. */
  public String title() {
    return nodes.size() == 1
        ? nodes.get(0)
        : "%s and %d more like it".formatted(nodes.get(0), nodes.size() - 1);
  }

  /** Its hardware and slots in two sentences. */
  public String description() {
    int slots = layout.slots().size();
    return layout.nodeClass().machine().topology().describe()
        + ". %s, %d CPUs %s, %d stranded."
            .formatted(
                slots == 1 ? "1 slot" : slots + " slots",
                layout.nodeClass().machine().reservedCpus().size(),
                layout.nodeClass().machine().isPinnedByRuntime() ? "shared" : "reserved",
                layout.strandedCpus().size());
  }

  /** Its findings. */
  public List<Note> notes() {
    return layout.findings().stream().map(Note::of).toList();
  }

  /** Memory of one executor; empty if none fits. */
  public Optional<CpuHolder.Memory> memory() {
    return shape.map(
        s ->
            new CpuHolder.Memory(
                s.memory().heapBytes(), s.memory().pageCacheBytes(), s.memory().podBytes()));
  }

  /** A holder for each slot of one node, in the order in which the kubelet fills them. */
  public List<CpuHolder> slots() {
    List<CpuHolder> holders = new ArrayList<>();
    for (Slot slot : layout.slots()) {
      holders.add(slot(holders.size() + 1, slot.cpus()));
    }
    return holders;
  }

  private CpuHolder slot(int number, CpuSet cpus) {
    return new CpuHolder(
        CpuHolder.Kind.SLOT,
        String.valueOf(number),
        Optional.empty(),
        cpus,
        memory(),
        PinState.of(Verdict.PREDICTED));
  }
}
