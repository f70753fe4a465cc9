package io.numaspark.trial.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Outcome;
import io.numaspark.trial.engine.Phase;
import io.numaspark.trial.engine.RoundId;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.engine.SimulatedMachine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What a trial may say, and what it may not. */
class JudgeTest {
  private static final Arm PINNED = new Arm("pinned", Role.CANDIDATE, 1);
  private static final Arm LARGE = new Arm("large", Role.CANDIDATE, 3);
  private static final List<Arm> ARMS =
      List.of(
          new Arm("free", Role.BASELINE),
          new Arm("same", Role.SAME),
          new Arm("delayed", Role.DELAYED),
          PINNED,
          LARGE);

  @Test
  void recommendsTheFasterArmWithTheFewestChanges() {
    TrialResult result = result(Map.of("pinned", 0.801, "large", 0.8), Map.of());
    assertThat(result.doubts()).isEmpty();
    assertThat(result.recommended()).contains(PINNED);
    assertThat(result.summary())
        .startsWith("It pays: pinned takes ")
        .endsWith(" % less, in 7 rounds).");
  }

  @Test
  void recommendsNothingWithinTheMargin() {
    TrialResult result = result(Map.of("pinned", 0.98, "large", 1.2), Map.of());
    assertThat(result.of(PINNED).verdict()).isEqualTo(Verdict.FASTER);
    assertThat(result.of(LARGE).verdict()).isEqualTo(Verdict.SLOWER);
    assertThat(result.recommended()).isEmpty();
    assertThat(result.summary()).startsWith("Keep what you have");
  }

  @Test
  void recommendsNothingIfTheBaselineDiffersFromItself() {
    TrialResult result = result(Map.of("pinned", 0.8, "same", 1.1), Map.of());
    assertThat(result.doubts())
        .extracting(Doubt::reason)
        .containsExactly(Doubt.Reason.SAME_ARM_DIFFERS);
    assertThat(result.recommended()).isEmpty();
  }

  @Test
  void recommendsNothingIfItIsBlind() {
    TrialResult result = result(Map.of("pinned", 0.8, "delayed", 1.0), Map.of());
    assertThat(result.doubts())
        .extracting(Doubt::reason)
        .containsExactly(Doubt.Reason.DELAY_NOT_FOUND);
    assertThat(result.summary()).contains("slowed by 10 % on purpose");
  }

  @Test
  void recommendsNothingIfARunWasNotWhatItsArmSays() {
    TrialResult result = result(Map.of("large", 0.8), Map.of("pinned", Outcome.INVALID));
    assertThat(result.doubts())
        .extracting(Doubt::reason)
        .containsExactly(Doubt.Reason.MANIPULATION_FAILED);
  }

  @Test
  void anArmThatFailsHasNoRatio() {
    TrialResult result = result(Map.of("large", 0.8), Map.of("pinned", Outcome.FAILED));
    assertThat(result.of(PINNED).verdict()).isEqualTo(Verdict.FAILED);
    assertThat(result.of(PINNED).ratios()).isEmpty();
    assertThat(result.of(PINNED).reason()).isEqualTo("It failed in 7 of 7 rounds.");
    assertThat(result.recommended()).contains(LARGE);
  }

  @Test
  void anApplicationThatFailsIsNotMeasuredButQuoted() {
    TrialDesign design =
        new TrialDesign(1, ARMS, Metric.DURATION, 7, 0.03, 0.1, Duration.ofSeconds(20_000));
    Run failed =
        new Run(
            new RoundId(Phase.CALIBRATION, 0),
            1,
            design.baseline().name(),
            Outcome.FAILED,
            3,
            new TreeMap<>(),
            List.of("It ended with exit code 1: no such class."),
            false);
    TrialResult result = Judge.result(design, List.of(failed), Ending.BASELINE_FAILED);
    assertThat(result.doubts())
        .extracting(Doubt::reason)
        .containsExactly(Doubt.Reason.APPLICATION_FAILED);
    assertThat(result.summary())
        .endsWith("The application fails by itself. It ended with exit code 1: no such class.");
  }

  @Test
  void comparesByTheMetricWhateverTheTime() {
    TrialResult result = byCpuTime(8.0);
    assertThat(result.doubts()).isEmpty();
    assertThat(result.recommended()).contains(PINNED);
    assertThat(result.of(PINNED).reason()).contains("% of the baseline's CPU time, between");
    assertThat(result.of(PINNED).verdict().words(Metric.CPU_TIME)).isEqualTo("less");
    assertThat(result.summary()).startsWith("It pays: pinned takes 20.0 % less CPU time than free");
  }

  @Test
  void saysByWhatNoArmIsBetter() {
    assertThat(byCpuTime(10.0).summary())
        .startsWith("Keep what you have: no arm was shown to take less CPU time by 3 % or more.");
  }

  @Test
  void aRunWhoseMetricNobodyKnowsIsNoComparison() {
    TrialResult result = byCpuTime(null);
    assertThat(result.doubts())
        .extracting(Doubt::message)
        .containsExactly("Only the baseline runs. Its CPU time is not known.");
  }

  /** The faster arm takes more CPU time, or less, and is twice as slow. */
  private static TrialResult byCpuTime(Double pinned) {
    List<Arm> arms = List.of(new Arm("free", Role.BASELINE), new Arm("same", Role.SAME), PINNED);
    TrialDesign design = new TrialDesign(1, arms, Metric.CPU_TIME, 7, 0.03, 0, Duration.ofDays(1));
    SimulatedMachine machine =
        new SimulatedMachine(
            design,
            (round, arm) -> {
              double wobble = 1 + 0.001 * ((round.number() * 7 + arm.length()) % 5 - 2);
              TreeMap<String, Double> measures = new TreeMap<>();
              Double value = arm.equals("pinned") ? pinned : Double.valueOf(10);
              if (pinned != null && value != null) {
                measures.put("cpuSeconds", value * wobble);
              } else if (arm.equals("free")) {
                measures.put("cpuSeconds", value);
              }
              return new Run(
                  round,
                  0,
                  arm,
                  Outcome.OK,
                  arm.equals("pinned") ? 20 : 10,
                  measures,
                  List.of(),
                  false);
            });
    Ending ending = machine.run();
    return Judge.result(design, machine.journal(), ending);
  }

  @Test
  void tooFewRoundsAreNoTrial() {
    TrialDesign design =
        new TrialDesign(1, ARMS, Metric.DURATION, 7, 0.03, 0.1, Duration.ofSeconds(200));
    SimulatedMachine machine = machine(design, Map.of("pinned", 0.5), Map.of());
    Ending ending = machine.run();
    TrialResult result = Judge.result(design, machine.journal(), ending);
    assertThat(result.ending()).isEqualTo(Ending.BUDGET_TOO_SMALL);
    assertThat(result.doubts())
        .extracting(Doubt::reason)
        .containsExactly(Doubt.Reason.TOO_FEW_ROUNDS);
    assertThat(result.summary()).containsPattern("take about \\d+ minutes after the calibration");
    assertThat(result.recommended()).isEmpty();
  }

  private static TrialResult result(Map<String, Double> shares, Map<String, Outcome> outcomes) {
    TrialDesign design =
        new TrialDesign(1, ARMS, Metric.DURATION, 7, 0.03, 0.1, Duration.ofDays(1));
    SimulatedMachine machine = machine(design, shares, outcomes);
    Ending ending = machine.run();
    return Judge.result(design, machine.journal(), ending);
  }

  /** Times that differ by up to 0.2 % between rounds; outcomes begin after the calibration. */
  private static SimulatedMachine machine(
      TrialDesign design, Map<String, Double> shares, Map<String, Outcome> outcomes) {
    BiFunction<RoundId, String, Run> times =
        (round, arm) -> {
          double usual = arm.equals("delayed") ? 1.1 : 1;
          double wobble = 1 + 0.001 * ((round.number() * 7 + arm.length()) % 5 - 2);
          boolean counts = !round.phase().name().equals("CALIBRATION");
          return new Run(
              round,
              0,
              arm,
              counts ? outcomes.getOrDefault(arm, Outcome.OK) : Outcome.OK,
              10 * shares.getOrDefault(arm, usual) * wobble,
              new TreeMap<>(),
              List.of(),
              false);
        };
    return new SimulatedMachine(design, times);
  }
}
