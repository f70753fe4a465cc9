package io.numaspark.planner.plan;

import io.numaspark.planner.plan.PlanResult.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * Which of several shapes is best, and why: criteria in order, each of which drops the shapes that
 * are clearly worse than the best one left.
 *
 * <p>docs/decisions/0008 has the reasons. Limit: no two of the shapes have the same cores.
 */
final class Objective {
  /**
   * Share of the allocatable CPUs, in percent, that a better size may strand beyond the fewest.
   * From two executors of 12 cores to six of 4 the run time of K-Means fell by a tenth (Ivy Bridge
   * node study, section 4.5), so a tenth of the CPUs is what a size is worth.
   */
  static final int STRANDED_TOLERANCE_PERCENT = 10;

  /**
   * The same among executors of {@value #LEAST_FAVOURED_CORES} to {@value #FAVOURED_CORES} cores,
   * which the studies found about equally good. Not measured: half of the other.
   */
  static final int NARROW_STRANDED_TOLERANCE_PERCENT = 5;

  /**
   * Share of the executors, in percent, that with a better size may straddle caches beyond the
   * least. Not measured: on caches of 8 cores it tells executors of 6, of which a quarter or more
   * straddle, from those of 4 that a single reserved core has shifted.
   */
  static final int STRADDLING_TOLERANCE_PERCENT = 20;

  /**
   * Sizes that the studies found good: 4 cores (six executors on 24 cores, Ivy Bridge node study,
   * section 4.5) to 6 cores (four executors on 24 cores, TPC-H on POWER8, section IV.D).
   */
  static final int LEAST_FAVOURED_CORES = 4;

  /** The largest of these sizes. */
  static final int FAVOURED_CORES = 6;

  /**
   * CPU time that each executor takes once more than tasks in an executor that is there: its JVM
   * starts, loads classes and compiles. The middle of 7 to 13, which were measured
   * (docs/plans.md#what-an-executor-costs).
   */
  static final int START_CPU_SECONDS = 10;

  private final int allocatableCpus;
  private final OptionalInt runSeconds;
  private final List<Criterion> criteria = new ArrayList<>();

  /**
   * One aim.
   *
   * @param measure what is to be small
   * @param tolerance by how much it may be larger than the smallest
   */
  private record Criterion(
      ToDoubleFunction<Candidate> measure, double tolerance, Sentence sentence) {

    double smallest(List<Candidate> candidates) {
      return candidates.stream().mapToDouble(measure).min().orElse(0);
    }

    List<Candidate> best(List<Candidate> candidates) {
      double accepted = smallest(candidates) + tolerance;
      return candidates.stream().filter(c -> measure.applyAsDouble(c) <= accepted).toList();
    }
  }

  /** Says why a shape lost to another; the smallest is that of all shapes still in the running. */
  private interface Sentence {
    String of(Candidate winner, Candidate loser, double smallest);
  }

  /**
   * @param allocatableCpus CPUs of all nodes that are not reserved
   */
  Objective(int allocatableCpus, ShapePriorities priorities) {
    this.allocatableCpus = allocatableCpus;
    this.runSeconds = priorities.runSeconds();
    criteria.add(fewestLost(STRANDED_TOLERANCE_PERCENT));
    if (!priorities.spreadAcrossCaches()) {
      criteria.add(
          new Criterion(
              Objective::straddlingPercent,
              STRADDLING_TOLERANCE_PERCENT,
              Objective::straddlesLess));
    }
    criteria.add(
        new Criterion(
            candidate -> isFavoured(candidate) ? 0 : 1 + sizeRank(candidate),
            0,
            this::hasTheBetterSize));
    criteria.add(fewestLost(NARROW_STRANDED_TOLERANCE_PERCENT));
    criteria.add(new Criterion(Objective::sizeRank, 0, this::hasTheBetterSize));
  }

  /** The shapes, best first: each is the best of those that follow. */
  List<Candidate> ranked(List<Candidate> candidates) {
    List<Candidate> left = new ArrayList<>(candidates);
    List<Candidate> ranked = new ArrayList<>();
    while (!left.isEmpty()) {
      Candidate best = best(left);
      ranked.add(best);
      left.remove(best);
    }
    return ranked;
  }

  /**
   * Why a shape lost against the best of all, as a clause with the numbers; empty for the best.
   *
   * @param candidates all shapes, the loser among them
   */
  String whyLost(Candidate loser, List<Candidate> candidates) {
    Candidate winner = best(candidates);
    List<Candidate> left = candidates;
    for (Criterion criterion : criteria) {
      List<Candidate> best = criterion.best(left);
      if (!best.contains(loser)) {
        return criterion.sentence().of(winner, loser, criterion.smallest(left));
      }
      left = best;
    }
    return "";
  }

  private Candidate best(List<Candidate> candidates) {
    List<Candidate> left = candidates;
    for (Criterion criterion : criteria) {
      left = criterion.best(left);
    }
    return left.get(0);
  }

  private Criterion fewestLost(int tolerancePercent) {
    double tolerance = allocatableCpus * tolerancePercent / 100.0;
    return new Criterion(
        candidate -> candidate.strandedCpus() + startCpus(candidate),
        tolerance,
        (winner, loser, fewest) ->
            runSeconds.isPresent()
                ? losesLess(winner, loser, fewest + tolerance)
                : strandsLess(winner, loser, fewest + tolerance));
  }

  /**
   * CPUs that do nothing but start executors, on average over the run of an application that has
   * all of them.
   */
  private double startCpus(Candidate candidate) {
    return runSeconds.isPresent()
        ? (double) candidate.slots() * START_CPU_SECONDS / runSeconds.getAsInt()
        : 0;
  }

  private String losesLess(Candidate winner, Candidate loser, double accepted) {
    return "with %s %d of %d CPUs are stranded and starts take %.0f, with %s %d and %.0f (a better size may lose up to %d)"
        .formatted(
            cores(loser),
            loser.strandedCpus(),
            allocatableCpus,
            startCpus(loser),
            cores(winner),
            winner.strandedCpus(),
            startCpus(winner),
            (int) accepted);
  }

  private String strandsLess(Candidate winner, Candidate loser, double accepted) {
    return "with %s %d of %d CPUs are stranded, with %s %d (a better size may strand up to %d)"
        .formatted(
            cores(loser),
            loser.strandedCpus(),
            allocatableCpus,
            cores(winner),
            winner.strandedCpus(),
            (int) accepted);
  }

  private static String straddlesLess(Candidate winner, Candidate loser, double least) {
    return "with %s %d of %d executors straddle last-level caches, with %s %d of %d"
        .formatted(
            cores(loser),
            loser.straddling(),
            loser.slots(),
            cores(winner),
            winner.straddling(),
            winner.slots());
  }

  private String hasTheBetterSize(Candidate winner, Candidate loser, double best) {
    String rule = rule(winner, loser);
    int more = winner.strandedCpus() - loser.strandedCpus();
    return more <= 0
        ? rule
        : "%s, and %s strand only %d of %d CPUs more"
            .formatted(rule, cores(winner), more, allocatableCpus);
  }

  private static String rule(Candidate winner, Candidate loser) {
    if (!isFavoured(winner)) {
      return "%d cores are best, and a core above counts as two below".formatted(FAVOURED_CORES);
    }
    return (isFavoured(loser)
            ? "larger sizes win between %d and %d cores"
            : "%d to %d cores are best")
        .formatted(LEAST_FAVOURED_CORES, FAVOURED_CORES);
  }

  private static boolean isFavoured(Candidate candidate) {
    int cores = candidate.shape().cpus().cores();
    return LEAST_FAVOURED_CORES <= cores && cores <= FAVOURED_CORES;
  }

  private static double straddlingPercent(Candidate candidate) {
    return 100.0 * candidate.straddling() / candidate.slots();
  }

  /** 6, 5, 4, 7, 3, 2, 8, 1, 9 …: a core above the favoured size counts as two below. */
  private static int sizeRank(Candidate candidate) {
    int cores = candidate.shape().cpus().cores();
    return cores <= FAVOURED_CORES
        ? 2 * (FAVOURED_CORES - cores)
        : 4 * (cores - FAVOURED_CORES) + 1;
  }

  /** Cores of a shape in words. */
  static String cores(Candidate candidate) {
    int cores = candidate.shape().cpus().cores();
    return cores == 1 ? "1 core" : cores + " cores";
  }
}
