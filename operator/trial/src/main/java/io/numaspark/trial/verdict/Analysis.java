package io.numaspark.trial.verdict;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Rounds;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.statistics.Interval;
import io.numaspark.trial.statistics.PairedRatios;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Compares each arm with the baseline of the same rounds.
 *
 * <p>Candidates form one family: their intervals are Bonferroni's, so that all of them hold
 * together at {@value TrialDesign#CONFIDENCE}. Controls are outside of it. A difference counts only
 * if the median of the rounds, and from {@value PairedRatios#LEAST_ROUNDS_OF_SIGNED_RANK} rounds on
 * the signed rank test, do not contradict the interval.
 *
 * <p>Limit: it knows numbers. That a run was what its arm says is the runner's to check.
 */
final class Analysis {
  private static final int MOST_FAILURES = 1;

  /** Of two one-sided tests at 5 %. */
  private static final double EQUIVALENCE_CONFIDENCE = 0.90;

  private static final double SIGNED_RANK_LEVEL = 0.05;

  private final TrialDesign design;
  private final List<Map<String, Run>> counted;
  private final List<Arm> confirmed;

  Analysis(TrialDesign design, Rounds rounds) {
    this.design = design;
    this.counted = rounds.counted();
    this.confirmed = rounds.confirmed();
  }

  /** How sure an interval of this arm has to be: more if there are more candidates. */
  private double confidence(Arm arm) {
    if (arm.role() == Role.SAME) {
      return TrialDesign.SAME_CONFIDENCE;
    }
    long family = confirmed.stream().filter(a -> a.role() == Role.CANDIDATE).count();
    return arm.role() == Role.CANDIDATE && family > 1
        ? 1 - (1 - TrialDesign.CONFIDENCE) / family
        : TrialDesign.CONFIDENCE;
  }

  ArmResult of(Arm arm) {
    if (!confirmed.contains(arm)) {
      return without(
          arm,
          0,
          Verdict.NOT_MEASURED,
          "It failed in the calibration, or the screening dropped it.");
    }
    List<Double> ratios = new ArrayList<>();
    int failed = 0;
    for (Map<String, Run> round : counted) {
      Run run = round.get(arm.name());
      if (run.isOk()) {
        ratios.add(
            run.value(design.metric())
                / round.get(design.baseline().name()).value(design.metric()));
      } else {
        failed++;
      }
    }
    if (failed > MOST_FAILURES) {
      return without(
          arm,
          failed,
          Verdict.FAILED,
          "It failed in %d of %d rounds.".formatted(failed, counted.size()));
    }
    if (ratios.size() < 2) {
      return without(arm, failed, Verdict.NOT_MEASURED, "It has less than two rounds.");
    }
    return judged(arm, failed, PairedRatios.of(ratios));
  }

  private static ArmResult without(Arm arm, int failed, Verdict verdict, String reason) {
    return new ArmResult(arm, 0, failed, Optional.empty(), Optional.empty(), verdict, reason);
  }

  private ArmResult judged(Arm arm, int failed, PairedRatios ratios) {
    double confidence = confidence(arm);
    Interval interval = ratios.interval(confidence);
    Verdict verdict = verdict(ratios, interval);
    String reason =
        String.format(
            Locale.ROOT,
            "%.1f %% of the baseline's %s, between %.1f and %.1f %% with a confidence of %.1f %%; %d rounds%s.",
            ratios.mean() * 100,
            design.metric().words(),
            interval.low() * 100,
            interval.high() * 100,
            confidence * 100,
            ratios.rounds(),
            verdict == Verdict.NO_DIFFERENCE_SHOWN && !interval.contains(1)
                ? "; median or signed rank test do not agree"
                : "");
    return new ArmResult(
        arm, ratios.rounds(), failed, Optional.of(ratios), Optional.of(interval), verdict, reason);
  }

  private Verdict verdict(PairedRatios ratios, Interval interval) {
    boolean ranksAgree =
        ratios.rounds() < PairedRatios.LEAST_ROUNDS_OF_SIGNED_RANK
            || ratios.signedRankP() <= SIGNED_RANK_LEVEL;
    if (interval.high() < 1 && ratios.median() < 1 && ranksAgree) {
      return Verdict.FASTER;
    }
    if (interval.low() > 1 && ratios.median() > 1 && ranksAgree) {
      return Verdict.SLOWER;
    }
    return ratios.interval(EQUIVALENCE_CONFIDENCE).isWithin(design.minimumEffect())
        ? Verdict.EQUIVALENT
        : Verdict.NO_DIFFERENCE_SHOWN;
  }

  /** Runs of an arm in rounds that count which were not what the arm says. */
  List<Run> invalid() {
    return counted.stream()
        .flatMap(round -> round.values().stream())
        .filter(run -> run.outcome() == Outcome.INVALID)
        .toList();
  }
}
