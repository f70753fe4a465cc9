package io.numaspark.trial.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.engine.SimulatedMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whole trials with times whose truth is known, often enough to count wrong answers. */
class SimulatedTrialsTest {
  private static final int TRIALS = 1000;
  private static final double NOISE = 0.05;

  @Test
  void aTrialOfEqualArmsFindsNoDifference() {
    List<TrialResult> results = trials(Map.of("a", 1.0), 7, NOISE, 0);
    assertThat(
            share(
                results,
                r -> verdict(r, "a") == Verdict.FASTER || verdict(r, "a") == Verdict.SLOWER))
        .isLessThan(0.06);
    assertThat(share(results, r -> r.recommended().isPresent())).isLessThan(0.03);
    assertThat(share(results, r -> !r.isTrustworthy())).isLessThan(0.025);
  }

  @Test
  void aTrialOfThreeEqualArmsFindsNoDifferenceEither() {
    List<TrialResult> results = trials(Map.of("a", 1.0, "b", 1.0, "c", 1.0), 7, NOISE, 0);
    assertThat(share(results, r -> r.recommended().isPresent())).isLessThan(0.04);
  }

  @Test
  void drivenByALineThatDriftsNoDifferenceIsFound() {
    // Each run is 0.5 % slower than the one before: a trial without random order would find it.
    List<TrialResult> results = trials(Map.of("a", 1.0), 7, 0.01, 0.005);
    assertThat(
            share(
                results,
                r -> verdict(r, "a") == Verdict.FASTER || verdict(r, "a") == Verdict.SLOWER))
        .isLessThan(0.06);
  }

  @Test
  void aDifferenceOfTwiceTheNoiseIsFoundNineTimesOutOfTen() {
    List<TrialResult> results = trials(Map.of("a", 0.9), 7, NOISE, 0);
    assertThat(share(results, r -> verdict(r, "a") == Verdict.FASTER)).isGreaterThan(0.85);
    assertThat(share(results, r -> verdict(r, "a") == Verdict.SLOWER)).isZero();
    assertThat(
            share(results, r -> r.recommended().map(Arm::name).equals(java.util.Optional.of("a"))))
        .isGreaterThan(0.8);
    assertThat(share(results, r -> r.of(arm("a")).interval().orElseThrow().contains(0.9)))
        .isGreaterThan(0.93);
  }

  @Test
  void ofManyCandidatesTheBestIsRecommended() {
    Map<String, Double> truth =
        Map.of("a", 1.0, "b", 1.05, "c", 0.8, "d", 1.4, "e", 1.6, "f", 0.98);
    List<TrialResult> results = trials(truth, 7, 0.03, 0);
    assertThat(
            share(results, r -> r.recommended().map(Arm::name).equals(java.util.Optional.of("c"))))
        .isGreaterThan(0.95);
  }

  @Test
  void equalityIsClaimedOnlyWithinTheMargin() {
    List<TrialResult> quiet = trials(Map.of("a", 1.0), 10, 0.01, 0);
    assertThat(share(quiet, r -> verdict(r, "a") == Verdict.EQUIVALENT)).isGreaterThan(0.9);
    List<TrialResult> beyond = trials(Map.of("a", 1.04), 10, 0.01, 0);
    assertThat(share(beyond, r -> verdict(r, "a") == Verdict.EQUIVALENT)).isLessThan(0.06);
  }

  private interface Claim {
    boolean holds(TrialResult result);
  }

  private static double share(List<TrialResult> results, Claim claim) {
    return results.stream().filter(claim::holds).count() / (double) results.size();
  }

  private static Verdict verdict(TrialResult result, String name) {
    return result.of(arm(name)).verdict();
  }

  private static Arm arm(String name) {
    return new Arm(name, Role.CANDIDATE);
  }

  /**
   * @param truth shares of the baseline's time by candidate
   * @param noise relative standard deviation of a ratio of one round
   * @param drift by which each run is slower than the one before
   */
  private static List<TrialResult> trials(
      Map<String, Double> truth, int rounds, double noise, double drift) {
    List<Arm> arms = new ArrayList<>();
    arms.add(new Arm("base", Role.BASELINE));
    arms.add(new Arm("same", Role.SAME));
    arms.add(new Arm("delayed", Role.DELAYED));
    truth.keySet().stream().sorted().forEach(name -> arms.add(arm(name)));
    Random random = new Random(42);
    List<TrialResult> results = new ArrayList<>();
    for (int trial = 0; trial < TRIALS; trial++) {
      TrialDesign design =
          new TrialDesign(trial, arms, Metric.DURATION, rounds, 0.03, 0.2, Duration.ofDays(10));
      double[] machine = {1};
      SimulatedMachine simulated =
          new SimulatedMachine(
              design,
              (round, name) -> {
                machine[0] *= 1 + drift;
                double share = name.equals("delayed") ? 1.2 : truth.getOrDefault(name, 1.0);
                double seconds =
                    100
                        * share
                        * machine[0]
                        * Math.exp(noise / Math.sqrt(2) * random.nextGaussian());
                return new Run(round, 0, name, Outcome.OK, seconds);
              });
      Ending ending = simulated.run();
      results.add(Judge.result(design, simulated.journal(), ending));
    }
    return results;
  }
}
