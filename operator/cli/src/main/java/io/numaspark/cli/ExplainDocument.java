package io.numaspark.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.numaspark.planner.jvm.JvmOption;
import io.numaspark.planner.jvm.SparkProperty;
import io.numaspark.planner.plan.Explanation;
import io.numaspark.planner.plan.Explanation.Compromise;
import io.numaspark.planner.plan.Explanation.Considered;
import io.numaspark.planner.plan.PlanResult.Candidate;
import io.numaspark.planner.plan.ReservationAdvice;
import java.util.List;

/**
 * The {@code explain} object of {@code numaspark plan --explain} as JSON and YAML; documented in
 * docs/plans.md and kept stable.
 */
@JsonPropertyOrder({"candidates", "jvmOptions", "sparkProperties", "reservations", "compromises"})
record ExplainDocument(
    List<Shape> candidates,
    List<JvmOption> jvmOptions,
    List<SparkProperty> sparkProperties,
    List<Reservation> reservations,
    List<ClassCost> compromises) {

  /** A shape that was considered; the chosen one comes first and has no {@code lost}. */
  record Shape(
      int cores,
      int cpus,
      int taskSlots,
      long heapBytes,
      long memoryOverheadBytes,
      long pageCacheBytes,
      long podMemoryBytes,
      int executors,
      List<ClassSlots> classes,
      int strandedCpus,
      long strandedMemoryBytes,
      int cacheDomains,
      int straddling,
      String lost) {}

  record ClassSlots(String nodeClass, List<Integer> executorsPerNumaNode) {}

  record Reservation(
      String nodeClass,
      String reservedCpus,
      String insteadOf,
      int executors,
      int executorsNow,
      int straddling,
      int straddlingNow,
      String text) {}

  record ClassCost(
      String nodeClass,
      int nodes,
      int executors,
      int cpus,
      int ownCores,
      long ownHeapBytes,
      int ownExecutors,
      int ownCpus) {}

  /**
   * The explanation of a plan.
   *
   * @param jvmOptions of the executors; none if no executor fits
   * @param sparkProperties those that suit the application's kind of work
   */
  static ExplainDocument of(
      Explanation explanation, List<JvmOption> jvmOptions, List<SparkProperty> sparkProperties) {
    return new ExplainDocument(
        explanation.candidates().stream().map(ExplainDocument::shape).toList(),
        jvmOptions,
        sparkProperties,
        explanation.reservations().stream().map(ExplainDocument::reservation).toList(),
        explanation.compromises().stream().map(ExplainDocument::classCost).toList());
  }

  private static Shape shape(Considered considered) {
    Candidate candidate = considered.candidate();
    return new Shape(
        candidate.shape().cpus().cores(),
        candidate.shape().cpus().cpus(),
        candidate.shape().cpus().taskSlots(),
        candidate.shape().memory().heapBytes(),
        candidate.shape().memory().overheadBytes(),
        candidate.shape().memory().pageCacheBytes(),
        candidate.shape().memory().podBytes(),
        candidate.slots(),
        candidate.classes().stream()
            .map(slots -> new ClassSlots(slots.nodeClass(), slots.perNumaNode()))
            .toList(),
        candidate.strandedCpus(),
        candidate.strandedMemoryBytes(),
        candidate.cacheDomains(),
        candidate.straddling(),
        considered.lost().isEmpty() ? null : considered.lost());
  }

  private static Reservation reservation(ReservationAdvice advice) {
    return new Reservation(
        advice.nodeClass(),
        advice.after().toString(),
        advice.before().toString(),
        advice.slotsAfter(),
        advice.slotsBefore(),
        advice.straddlingAfter(),
        advice.straddlingBefore(),
        advice.text());
  }

  private static ClassCost classCost(Compromise compromise) {
    return new ClassCost(
        compromise.nodeClass().name(),
        compromise.nodeClass().nodes(),
        compromise.slots(),
        compromise.cpus(),
        compromise.own().cpus().cores(),
        compromise.own().memory().heapBytes(),
        compromise.ownSlots(),
        compromise.ownCpus());
  }
}
