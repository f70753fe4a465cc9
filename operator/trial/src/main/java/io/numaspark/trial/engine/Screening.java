package io.numaspark.trial.engine;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.statistics.PairedRatios;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Drops candidates before the rounds that count: those that fail, those that are worse than the
 * best by more than the margin, and all but {@value TrialDesign#MOST_CONFIRMED}.
 *
 * <p>Limit: three rounds are enough to drop what is much worse, not to tell the best from the
 * second.
 */
final class Screening {
  /** Of the interval that must lie beyond the margin before a candidate is dropped for its time. */
  private static final double CONFIDENCE = 0.90;

  private Screening() {}

  /** The arms that go on, in the order of the design: all while the screening is not complete. */
  static List<Arm> survivors(TrialDesign design, Rounds rounds) {
    List<Arm> running =
        design.arms().stream().filter(arm -> !failedAtOnce(arm, design, rounds)).toList();
    if (!design.screens()) {
      return running;
    }
    List<Map<String, Run>> screening = rounds.complete(Phase.SCREENING, running);
    if (screening.size() < TrialDesign.SCREENING_ROUNDS) {
      return running;
    }
    List<Arm> candidates = best(design, running, screening);
    return running.stream()
        .filter(arm -> arm.role() != Role.CANDIDATE || candidates.contains(arm))
        .toList();
  }

  /** A candidate or control that failed in the calibration is not measured; the baseline is. */
  private static boolean failedAtOnce(Arm arm, TrialDesign design, Rounds rounds) {
    return !arm.equals(design.baseline())
        && rounds.calibration().stream().anyMatch(run -> run.arm().equals(arm.name()))
        && rounds.calibration().stream()
            .filter(run -> run.arm().equals(arm.name()))
            .noneMatch(Run::isOk);
  }

  private static List<Arm> best(
      TrialDesign design, List<Arm> running, List<Map<String, Run>> screening) {
    List<Arm> ranked = new ArrayList<>();
    for (Arm arm : running) {
      if (arm.role() == Role.CANDIDATE
          && screening.stream().allMatch(r -> r.get(arm.name()).isOk())) {
        ranked.add(arm);
      }
    }
    ranked.sort(
        Comparator.comparingDouble(arm -> ratio(design, screening, arm, design.baseline()).mean()));
    if (ranked.isEmpty()) {
      return ranked;
    }
    Arm best = ranked.get(0);
    return ranked.stream()
        .filter(arm -> arm.equals(best) || !isWorse(design, screening, arm, best))
        .limit(TrialDesign.MOST_CONFIRMED)
        .toList();
  }

  private static boolean isWorse(
      TrialDesign design, List<Map<String, Run>> screening, Arm arm, Arm best) {
    return ratio(design, screening, arm, best).interval(CONFIDENCE).low()
        > 1 + design.minimumEffect();
  }

  private static PairedRatios ratio(
      TrialDesign design, List<Map<String, Run>> rounds, Arm arm, Arm other) {
    return PairedRatios.of(
        rounds.stream()
            .map(
                round ->
                    round.get(arm.name()).value(design.metric())
                        / round.get(other.name()).value(design.metric()))
            .toList());
  }
}
