package io.numaspark.cli;

import io.numaspark.planner.plan.ExecutorShape;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.Slot;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.picture.Brick;
import io.numaspark.render.picture.NodePicture;
import io.numaspark.render.picture.Note;
import io.numaspark.render.picture.Picture;
import io.numaspark.render.picture.Pinning;
import io.numaspark.render.picture.Pinning.Verdict;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A plan as a picture: one drawing for each node class, with a brick for each slot.
 *
 * <p>Limit: which slots an application's executors take is known if there is one node, or if they
 * take all; else every slot is drawn as free, and a note says how many the application takes.
 */
final class PlanPicture {
  /** Names of nodes in the line of a class; the JSON has all. */
  private static final int MOST_NAMES = 10;

  private final PlanDocument document;
  private final ProfilePlan plan;
  private final Optional<ExecutorShape> shape;

  PlanPicture(PlanDocument document, ProfilePlan plan) {
    this.document = document;
    this.plan = plan;
    this.shape =
        plan.result() instanceof Plan found ? Optional.of(found.shape()) : Optional.empty();
  }

  Picture draw() {
    List<NodePicture> pictures = new ArrayList<>();
    classes().forEach((layout, names) -> pictures.add(node(layout, names)));
    List<Note> notes = new ArrayList<>();
    Optional.ofNullable(document.application()).ifPresent(app -> notes.addAll(notes(app)));
    notes.addAll(nodesWithoutPicture());
    return new Picture("Profile " + document.profile(), lead(), pictures, notes);
  }

  private List<String> lead() {
    return document.shortfall() == null
        ? List.of("Executors: " + document.executor().describe() + ".", document.why() + ".")
        : List.of(
            "No executor fits: " + document.shortfall().message() + ".",
            "Remedy: " + document.shortfall().remedy() + ".");
  }

  /** The nodes of each class, in the order of their names. */
  private Map<Layout, List<String>> classes() {
    Map<Layout, List<String>> classes = new LinkedHashMap<>();
    plan.layoutByNode()
        .forEach(
            (name, layout) -> classes.computeIfAbsent(layout, l -> new ArrayList<>()).add(name));
    return classes;
  }

  private NodePicture node(Layout layout, List<String> names) {
    String title =
        names.size() == 1
            ? names.get(0)
            : "%s and %d more like it".formatted(names.get(0), names.size() - 1);
    CpuSet reserved = layout.nodeClass().machine().reservedCpus();
    StringBuilder description =
        new StringBuilder(layout.nodeClass().machine().topology().describe())
            .append(
                ". %s, %d CPUs reserved, %d stranded."
                    .formatted(
                        layout.slots().size() == 1 ? "1 slot" : layout.slots().size() + " slots",
                        reserved.size(),
                        layout.strandedCpus().size()));
    if (names.size() > 1) {
      description.append(" Nodes: ").append(shortened(names)).append('.');
    }
    return NodePicture.of(
        title,
        description.toString(),
        layout,
        bricks(layout),
        layout.findings().stream().map(Note::of).toList());
  }

  private static String shortened(List<String> names) {
    int more = names.size() - MOST_NAMES;
    return more <= 0
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMES)) + " and " + more + " more";
  }

  private List<Brick> bricks(Layout layout) {
    int taken = taken(layout);
    List<Brick> bricks = new ArrayList<>();
    for (Slot slot : layout.slots()) {
      int number = bricks.size() + 1;
      bricks.add(
          new Brick(
              number <= taken ? Brick.Kind.EXECUTOR : Brick.Kind.SLOT,
              String.valueOf(number),
              number <= taken
                  ? Optional.of(new Brick.Owner(document.application().name(), Optional.empty()))
                  : Optional.empty(),
              slot.cpus(),
              memory(number <= taken),
              Pinning.of(Verdict.PREDICTED)));
    }
    return bricks;
  }

  /** How many of the first slots of a layout the application's executors take for certain. */
  private int taken(Layout layout) {
    PlanDocument.Application application = document.application();
    if (application == null
        || !application.pinned()
        || application.refusal() != null
        || !isOfTheShape()) {
      return 0;
    }
    boolean all = application.executors() >= totalSlots();
    boolean one = plan.layoutByNode().size() == 1;
    return all || one ? Math.min(application.executors(), layout.slots().size()) : 0;
  }

  /** Whether the application's executors take a slot each, and not some of another size. */
  private boolean isOfTheShape() {
    return shape.isPresent() && shape.get().cpus().cpus() == document.executor().cpus();
  }

  private int totalSlots() {
    return plan.slotsByNode().values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Memory of the application's executors, or of those that the profile plans. */
  private Optional<Brick.Memory> memory(boolean ofApplication) {
    return ofApplication
        ? Optional.of(
            new Brick.Memory(document.executor().heapBytes(), document.executor().podMemoryBytes()))
        : shape.map(s -> new Brick.Memory(s.memory().heapBytes(), s.memory().podBytes()));
  }

  private List<Note> notes(PlanDocument.Application application) {
    String subject = "application " + application.name();
    if (application.refusal() != null) {
      return List.of(new Note(Severity.ERROR, subject, "refused: " + application.refusal(), ""));
    }
    List<Note> notes = new ArrayList<>();
    notes.add(new Note(Severity.INFO, subject, placement(application), ""));
    application.advice().forEach(advice -> notes.add(new Note(Severity.INFO, subject, advice, "")));
    return notes;
  }

  private String placement(PlanDocument.Application application) {
    String executors =
        "%d executors, %d tasks at once"
            .formatted(application.executors(), application.taskSlots());
    if (!application.pinned()) {
      return executors + "; without spec.nodeProfile they are not pinned, and not drawn";
    }
    if (!isOfTheShape()) {
      return executors + " of a size of their own, which are not drawn";
    }
    if (application.executors() > totalSlots()) {
      return "%s; %d wait for a slot".formatted(executors, application.executors() - totalSlots());
    }
    return application.executors() == totalSlots() || plan.layoutByNode().size() == 1
        ? executors
        : "%s; which of the %d slots they take is up to the scheduler"
            .formatted(executors, totalSlots());
  }

  /** Findings of nodes whose topology is not known or not what the profile expects. */
  private List<Note> nodesWithoutPicture() {
    return plan.unusable().stream()
        .filter(unusable -> !plan.layoutByNode().containsKey(unusable.node()))
        .map(
            unusable ->
                new Note(
                    Severity.ERROR,
                    unusable.reason() + " on " + unusable.node(),
                    unusable.problem(),
                    unusable.remedy()))
        .toList();
  }
}
