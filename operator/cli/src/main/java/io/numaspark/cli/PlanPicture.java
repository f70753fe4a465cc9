package io.numaspark.cli;

import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.fleet.PlannedClass;
import io.numaspark.render.picture.CpuHolder;
import io.numaspark.render.picture.NodePicture;
import io.numaspark.render.picture.Note;
import io.numaspark.render.picture.Picture;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan as a picture: one drawing for each node class, with a holder for each slot.
 *
 * <p>Limit: which slots an application's executors take is known if there is one node, or if they
 * take all; else every slot is drawn as free, and a note says how many the application takes.
 */
final class PlanPicture {
  /** Names of nodes in the line of a class; the JSON has all. */
  private static final int MOST_NAMES = 10;

  private final PlanDocument document;
  private final ProfilePlan plan;

  PlanPicture(PlanDocument document, ProfilePlan plan) {
    this.document = document;
    this.plan = plan;
  }

  Picture draw() {
    List<Note> notes = new ArrayList<>();
    Optional.ofNullable(document.application()).ifPresent(app -> notes.addAll(notes(app)));
    notes.addAll(PlannedClass.withoutClass(plan));
    Stream.ofNullable(document.whatIf())
        .flatMap(List::stream)
        .map(PlanPicture::whatIf)
        .forEach(notes::add);
    return new Picture(
        "Profile " + document.profile(),
        lead(),
        PlannedClass.of(plan).stream().map(this::node).toList(),
        notes,
        List.of());
  }

  private static Note whatIf(PinningWay way) {
    return new Note(
        Severity.INFO,
        "what if: " + way.way(),
        way.slots() == 0
            ? "no slot"
            : "%d slots of %d cores; executors get %d of %d CPUs, and %d are stranded"
                .formatted(
                    way.slots(), way.cores(), way.executorCpus(), way.cpus(), way.strandedCpus()),
        way.todo());
  }

  private List<String> lead() {
    return document.shortfall() == null
        ? List.of("Executors: " + document.executor().describe() + ".", document.why() + ".")
        : List.of(
            "No executor fits: " + document.shortfall().message() + ".",
            "Remedy: " + document.shortfall().remedy() + ".");
  }

  private NodePicture node(PlannedClass planned) {
    String nodes = planned.nodes().size() == 1 ? "" : " Nodes: " + shortened(planned.nodes()) + ".";
    return NodePicture.of(
        planned.title(),
        planned.description() + nodes,
        planned.layout(),
        holders(planned),
        planned.notes());
  }

  private static String shortened(List<String> names) {
    int more = names.size() - MOST_NAMES;
    return more <= 0
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST_NAMES)) + " and " + more + " more";
  }

  /** The slots, the first of them taken by the application's executors. */
  private List<CpuHolder> holders(PlannedClass planned) {
    List<CpuHolder> slots = planned.slots();
    List<CpuHolder> holders = new ArrayList<>(slots);
    for (int i = 0; i < taken(slots.size()); i++) {
      holders.set(i, executor(slots.get(i)));
    }
    return holders;
  }

  private CpuHolder executor(CpuHolder slot) {
    PlanDocument.Executor executor = document.executor();
    return new CpuHolder(
        CpuHolder.Kind.EXECUTOR,
        slot.id(),
        Optional.of(new CpuHolder.Owner(document.application().name(), Optional.empty())),
        slot.cpus(),
        Optional.of(
            new CpuHolder.Memory(
                executor.heapBytes(), executor.pageCacheBytes(), executor.podMemoryBytes())),
        slot.pinning());
  }

  /** How many of the slots of a node the application's executors take for certain. */
  private int taken(int slots) {
    PlanDocument.Application application = document.application();
    if (application == null
        || !application.pinned()
        || application.refusal() != null
        || !isOfTheShape()) {
      return 0;
    }
    boolean all = application.executors() >= totalSlots();
    boolean one = plan.layoutByNode().size() == 1;
    return all || one ? Math.min(application.executors(), slots) : 0;
  }

  /** Whether the application's executors take a slot each, and not some of another size. */
  private boolean isOfTheShape() {
    return plan.result() instanceof Plan found
        && found.shape().cpus().cpus() == document.executor().cpus();
  }

  private int totalSlots() {
    return plan.slotsByNode().values().stream().mapToInt(Integer::intValue).sum();
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
}
