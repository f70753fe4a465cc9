package io.numaspark.trial.verdict;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Engine;
import io.numaspark.trial.engine.Rounds;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.statistics.PairedRatios;
import io.numaspark.trial.verdict.Doubt.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Says whether a trial can be trusted, and which arm it recommends.
 *
 * <p>A recommendation needs an arm that is faster by more than the margin, in a trial whose
 * controls passed. "Keep what you have" is an answer.
 */
public final class Judge {
  private final TrialDesign design;
  private final List<Run> journal;
  private final Rounds rounds;
  private final Analysis analysis;
  private final List<ArmResult> arms;

  private Judge(TrialDesign design, List<Run> journal) {
    this.design = design;
    this.journal = journal;
    this.rounds = new Rounds(design, journal);
    this.analysis = new Analysis(design, rounds);
    this.arms =
        design.arms().stream()
            .filter(arm -> arm.role() != Role.BASELINE)
            .map(analysis::of)
            .toList();
  }

  public static TrialResult result(TrialDesign design, List<Run> journal, Ending ending) {
    return new Judge(design, journal).result(ending);
  }

  private TrialResult result(Ending ending) {
    int counted = rounds.counted().size();
    double noise =
        only(Role.SAME).flatMap(ArmResult::ratios).map(PairedRatios::noise).orElse(Double.NaN);
    double detectable =
        counted < 2 || Double.isNaN(noise)
            ? Double.NaN
            : PairedRatios.detectable(noise, counted, TrialDesign.CONFIDENCE);
    List<Doubt> doubts = early(ending).map(List::of).orElseGet(() -> doubts(counted));
    Optional<Arm> recommended = doubts.isEmpty() ? recommended() : Optional.empty();
    return new TrialResult(
        design,
        ending,
        counted,
        rounds.disturbed(),
        noise,
        detectable,
        arms,
        doubts,
        recommended,
        summary(doubts, recommended, detectable));
  }

  private Optional<ArmResult> only(Role role) {
    return arms.stream().filter(result -> result.arm().role() == role).findFirst();
  }

  /**
   * A trial that ended before a round could count has one problem, and no others are worth a word.
   */
  private Optional<Doubt> early(Ending ending) {
    return Optional.ofNullable(
        switch (ending) {
          case BASELINE_FAILED ->
              new Doubt(
                  Reason.APPLICATION_FAILED,
                  "The application fails by itself. " + remarksOf(design.baseline()));
          case NOTHING_LEFT ->
              new Doubt(
                  Reason.APPLICATION_FAILED,
                  "Only the baseline runs. "
                      + remarksOf(design.arms().get(design.arms().size() - 1)));
          case BUDGET_TOO_SMALL ->
              new Doubt(
                  Reason.TOO_FEW_ROUNDS,
                  "The %d rounds that a verdict needs take about %d minutes after the calibration, which the budget does not have: give a larger budget or a smaller input."
                      .formatted(
                          TrialDesign.LEAST_ROUNDS,
                          minutes(new Engine(design).leastSeconds(journal))));
          default -> null;
        });
  }

  private String remarksOf(Arm arm) {
    return rounds.calibration().stream()
        .filter(run -> run.arm().equals(arm.name()))
        .flatMap(run -> run.remarks().stream())
        .reduce((first, second) -> first + " " + second)
        .orElse("");
  }

  private static long minutes(double seconds) {
    return (long) Math.ceil(seconds / 60);
  }

  private List<Doubt> doubts(int counted) {
    List<Doubt> doubts = new ArrayList<>();
    if (counted < TrialDesign.LEAST_ROUNDS) {
      doubts.add(
          new Doubt(
              Reason.TOO_FEW_ROUNDS,
              "%d rounds count, and a verdict needs %d: give a larger budget or a smaller input."
                  .formatted(counted, TrialDesign.LEAST_ROUNDS)));
    }
    same().ifPresent(doubts::add);
    delayed().ifPresent(doubts::add);
    if (rounds.disturbed() * 3 > rounds.disturbed() + counted) {
      doubts.add(
          new Doubt(
              Reason.DISTURBED,
              "%d of %d rounds were disturbed: stop what else runs on this machine."
                  .formatted(rounds.disturbed(), rounds.disturbed() + counted)));
    }
    analysis.invalid().stream()
        .findFirst()
        .ifPresent(
            run ->
                doubts.add(
                    new Doubt(
                        Reason.MANIPULATION_FAILED,
                        "A run of %s was not what it should be: %s"
                            .formatted(run.arm(), String.join(" ", run.remarks())))));
    return doubts;
  }

  private Optional<Doubt> same() {
    Optional<ArmResult> same = only(Role.SAME);
    if (same.isEmpty() || same.get().interval().isEmpty()) {
      return Optional.of(
          new Doubt(
              Reason.CONTROL_MISSING,
              "The control that repeats the baseline was not measured, so the noise is unknown."));
    }
    if (same.get().interval().get().contains(1)) {
      return Optional.empty();
    }
    return Optional.of(
        new Doubt(
            Reason.SAME_ARM_DIFFERS,
            "The baseline differs from itself: "
                + same.get().reason()
                + " Something on this machine changes between runs; an honest trial shows this once in 100."));
  }

  private Optional<Doubt> delayed() {
    Optional<ArmResult> delayed = only(Role.DELAYED);
    if (design.delay() == 0) {
      return Optional.empty();
    }
    if (delayed.isEmpty() || delayed.get().interval().isEmpty()) {
      return Optional.of(
          new Doubt(
              Reason.CONTROL_MISSING,
              "The control that is slowed on purpose was not measured, so the trial may be blind."));
    }
    if (delayed.get().verdict() == Verdict.SLOWER) {
      return Optional.empty();
    }
    return Optional.of(
        new Doubt(
            Reason.DELAY_NOT_FOUND,
            String.format(
                Locale.ROOT,
                "An arm that was slowed by %.0f %% on purpose did not look slower, so the trial cannot see differences of this"
                    + " size: run more rounds, or quiet the machine.",
                design.delay() * 100)));
  }

  /**
   * Of the candidates that are faster by more than the margin and never failed: those not shown
   * slower than the fastest, of these the one with the fewest changes, then the fastest.
   */
  private Optional<Arm> recommended() {
    List<ArmResult> faster =
        arms.stream()
            .filter(result -> result.arm().role() == Role.CANDIDATE)
            .filter(result -> result.verdict() == Verdict.FASTER && result.failed() == 0)
            .filter(result -> mean(result) <= 1 - design.minimumEffect())
            .sorted(Comparator.comparingDouble(Judge::mean))
            .toList();
    if (faster.isEmpty()) {
      return Optional.empty();
    }
    double bestHigh = faster.get(0).interval().orElseThrow().high();
    return faster.stream()
        .filter(result -> mean(result) <= bestHigh)
        .min(
            Comparator.comparingInt((ArmResult result) -> result.arm().changes())
                .thenComparingDouble(Judge::mean))
        .map(ArmResult::arm);
  }

  private static double mean(ArmResult result) {
    return result.ratios().orElseThrow().mean();
  }

  private static double less(double share) {
    return (1 - share) * 100;
  }

  private String summary(List<Doubt> doubts, Optional<Arm> recommended, double detectable) {
    if (!doubts.isEmpty()) {
      return "This trial cannot be trusted, so it recommends nothing. " + doubts.get(0).message();
    }
    if (recommended.isPresent()) {
      ArmResult best =
          arms.stream().filter(r -> r.arm().equals(recommended.get())).findFirst().orElseThrow();
      return String.format(
          Locale.ROOT,
          "It pays: %s takes %.1f %% less %s than %s (%.1f to %.1f %% less, in %d rounds).",
          best.arm().name(),
          less(mean(best)),
          design.metric().words(),
          design.baseline().name(),
          less(best.interval().orElseThrow().high()),
          less(best.interval().orElseThrow().low()),
          best.rounds());
    }
    return String.format(
        Locale.ROOT,
        "Keep what you have: no arm was shown to %s by %.0f %% or more. These rounds would show a difference of %.1f %%"
            + " half of the time.",
        design.metric() == Metric.DURATION ? "be faster" : "take less " + design.metric().words(),
        design.minimumEffect() * 100,
        detectable * 100);
  }
}
