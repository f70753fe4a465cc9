package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ArmInfo;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Recommendation;
import io.numaspark.render.sparktrial.ArmPlan;
import io.numaspark.render.sparktrial.TrialPlan;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Rounds;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.verdict.ArmResult;
import io.numaspark.trial.verdict.Doubt;
import io.numaspark.trial.verdict.Judge;
import io.numaspark.trial.verdict.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a trial shows, in the words of its status. */
record TrialAnswer(
    String summary,
    List<ArmInfo> arms,
    Optional<Recommendation> recommendation,
    List<String> doubts) {

  /** The answer of the runs that there are. */
  static TrialAnswer of(TrialPlan plan, List<Run> runs, Ending ending) {
    TrialResult result = Judge.result(plan.design(), runs, ending);
    List<ArmInfo> arms = new ArrayList<>();
    arms.add(baseline(plan.arms().get(0), result.rounds()));
    result.arms().forEach(arm -> arms.add(info(arm, plan)));
    return new TrialAnswer(
        result.summary(),
        List.copyOf(arms),
        result.recommended().map(arm -> recommendation(plan.arm(arm.name()), result)),
        result.doubts().stream().map(Doubt::message).toList());
  }

  /** How many rounds count so far. */
  static SparkTrialStatus.Rounds rounds(TrialPlan plan, List<Run> runs) {
    Rounds rounds = new Rounds(plan.design(), runs);
    return new SparkTrialStatus.Rounds(
        plan.design().rounds(), rounds.counted().size(), rounds.disturbed());
  }

  private static Recommendation recommendation(ArmPlan arm, TrialResult result) {
    return new Recommendation(
        arm.arm().name(),
        result.of(arm.arm()).reason(),
        arm.variant().application(),
        arm.variant().profile());
  }

  private static ArmInfo baseline(ArmPlan arm, int rounds) {
    return new ArmInfo(
        arm.arm().name(),
        arm.arm().role().name(),
        arm.what(),
        rounds,
        0,
        100.0,
        null,
        null,
        null,
        "the others are compared with it");
  }

  private static ArmInfo info(ArmResult arm, TrialPlan plan) {
    return new ArmInfo(
        arm.arm().name(),
        arm.arm().role().name(),
        plan.arm(arm.arm().name()).what(),
        arm.rounds(),
        arm.failed(),
        arm.ratios().map(ratios -> percent(ratios.mean())).orElse(null),
        arm.interval().map(interval -> percent(interval.low())).orElse(null),
        arm.interval().map(interval -> percent(interval.high())).orElse(null),
        arm.verdict().name(),
        arm.reason());
  }

  private static double percent(double share) {
    return Math.round(share * 1000) / 10.0;
  }
}
