package io.numaspark.trial.verdict;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Ending;
import java.util.List;
import java.util.Optional;

/**
 * What a trial shows.
 *
 * @param rounds that count
 * @param disturbed rounds that were measured and do not count
 * @param noise relative standard deviation of the ratio of one round, from the control that repeats
 *     the baseline; NaN without it
 * @param detectable the difference that these rounds show half of the time, as a share; NaN without
 *     noise
 * @param arms all but the baseline, in the order of the design
 * @param doubts empty if the trial can be trusted
 * @param recommended an arm that is faster by more than the margin; always empty if there are
 *     doubts
 * @param summary one or two sentences that answer whether it pays
 */
public record TrialResult(
    TrialDesign design,
    Ending ending,
    int rounds,
    int disturbed,
    double noise,
    double detectable,
    List<ArmResult> arms,
    List<Doubt> doubts,
    Optional<Arm> recommended,
    String summary) {

  public TrialResult {
    arms = List.copyOf(arms);
    doubts = List.copyOf(doubts);
  }

  public boolean isTrustworthy() {
    return doubts.isEmpty();
  }

  /**
   * @throws IllegalArgumentException if the trial has no such arm beside the baseline
   */
  public ArmResult of(Arm arm) {
    return arms.stream()
        .filter(result -> result.arm().equals(arm))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no arm " + arm.name()));
  }
}
