package io.numaspark.planner.plan;

import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.plan.PlanResult.Candidate;
import io.numaspark.planner.plan.PlanResult.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything that was weighed for a plan: all shapes, other reservations, and what one shape for
 * several node classes costs each of them.
 *
 * @param candidates the chosen shape first, then the others, best first
 * @param reservations at most two for each usable class
 * @param compromises the usable classes that would have another shape if they were alone
 */
public record Explanation(
    List<Considered> candidates,
    List<ReservationAdvice> reservations,
    List<Compromise> compromises) {
  public Explanation {
    candidates = List.copyOf(candidates);
    reservations = List.copyOf(reservations);
    compromises = List.copyOf(compromises);
  }

  /**
   * A shape and why it is not the chosen one.
   *
   * @param lost a clause with the numbers; empty for the chosen shape
   */
  public record Considered(Candidate candidate, String lost) {}

  /**
   * A class whose nodes would take another shape if they were alone.
   *
   * @param own the shape for this class alone, with its numbers over the nodes of the class
   * @param slots executors of one node with the shape of the plan
   * @param cpus CPUs of one node that are in executors with the shape of the plan
   * @param ownSlots executors of one node with its own shape
   * @param ownCpus CPUs of one node that are in executors with its own shape
   */
  public record Compromise(
      NodeClass nodeClass, ExecutorShape own, int slots, int cpus, int ownSlots, int ownCpus) {}

  /** Explains a plan; what no shape fits is explained by the shortfall alone. */
  public static Explanation of(PlanResult result, ShapePolicy policy) {
    if (!(result instanceof Plan plan)) {
      return new Explanation(List.of(), List.of(), List.of());
    }
    List<Layout> usable = plan.layouts().stream().filter(Layout::isUsable).toList();
    return new Explanation(
        candidates(plan, usable, policy),
        reservations(plan, usable, policy),
        usable.size() > 1 ? compromises(plan, usable, policy) : List.of());
  }

  private static List<Considered> candidates(Plan plan, List<Layout> usable, ShapePolicy policy) {
    ShapeSearch search =
        new ShapeSearch(
            usable.stream().map(Layout::nodeClass).toList(), policy, LayoutPlanner.NODE);
    Ranking ranking = Ranking.of(search, policy);
    List<Considered> candidates = new ArrayList<>();
    for (int i = 0; i < ranking.candidates().size(); i++) {
      candidates.add(new Considered(ranking.candidates().get(i), ranking.whyLost().get(i)));
    }
    search
        .candidateOfEverySlot(plan.shape().cpus().cores())
        .filter(other -> !other.shape().equals(plan.shape()))
        .map(other -> new Considered(other, tooLittleMemory(other, candidates.get(0).candidate())))
        .ifPresent(other -> candidates.add(1, other));
    return candidates;
  }

  private static String tooLittleMemory(Candidate other, Candidate chosen) {
    return "every slot that the cores allow would leave %d MiB of memory used instead of %d MiB"
        .formatted(usedMib(other), usedMib(chosen));
  }

  private static long usedMib(Candidate candidate) {
    return candidate.slots() * (candidate.shape().memory().podBytes() / ExecutorMemory.MIB);
  }

  private static List<ReservationAdvice> reservations(
      Plan plan, List<Layout> usable, ShapePolicy policy) {
    List<ReservationAdvice> advice = new ArrayList<>();
    for (Layout layout : usable) {
      ReservationSearch search =
          new ReservationSearch(layout.nodeClass(), plan.shape(), policy, LayoutPlanner.NODE);
      search.better().ifPresent(advice::add);
      search.oneCoreEverywhere().ifPresent(advice::add);
    }
    return advice;
  }

  private static List<Compromise> compromises(Plan plan, List<Layout> usable, ShapePolicy policy) {
    List<Compromise> compromises = new ArrayList<>();
    for (Layout layout : usable) {
      ShapeSearch alone = new ShapeSearch(List.of(layout.nodeClass()), policy, LayoutPlanner.NODE);
      Optional<Candidate> best = Ranking.of(alone, policy).best();
      best.filter(own -> !own.shape().equals(plan.shape()))
          .ifPresent(own -> compromises.add(compromise(plan, layout, own)));
    }
    return compromises;
  }

  private static Compromise compromise(Plan plan, Layout layout, Candidate own) {
    int slots = layout.slots().size();
    int ownSlots = ClassRoom.sum(own.classes().get(0).perNumaNode());
    return new Compromise(
        layout.nodeClass(),
        own.shape(),
        slots,
        slots * plan.shape().cpus().cpus(),
        ownSlots,
        ownSlots * own.shape().cpus().cpus());
  }
}
