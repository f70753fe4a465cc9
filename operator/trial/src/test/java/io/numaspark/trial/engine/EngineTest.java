package io.numaspark.trial.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Action.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
  private static final Arm BASE = new Arm("base", Role.BASELINE);
  private static final Arm SAME = new Arm("same", Role.SAME);
  private static final Arm A = new Arm("a", Role.CANDIDATE);

  @Test
  void measuresOneRoundOfCalibrationAndThenTheRoundsThatCount() {
    SimulatedMachine machine = machine(design(List.of(BASE, SAME, A), 5, 100_000), (r, arm) -> 10);
    assertThat(machine.run()).isEqualTo(Ending.COMPLETE);
    assertThat(machine.journal()).hasSize(3 + 5 * 3);
    assertThat(machine.journal().get(0).arm()).isEqualTo("base");
    assertThat(machine.journal().get(0).round().phase()).isEqualTo(Phase.CALIBRATION);
  }

  @Test
  void orderWithinRoundsVaries() {
    SimulatedMachine machine = machine(design(List.of(BASE, SAME, A), 20, 100_000), (r, arm) -> 10);
    machine.run();
    Set<List<String>> orders =
        machine.journal().stream()
            .filter(run -> run.round().phase() == Phase.CONFIRMATION)
            .collect(Collectors.groupingBy(Run::round))
            .values()
            .stream()
            .map(round -> round.stream().map(Run::arm).toList())
            .collect(Collectors.toSet());
    assertThat(orders).hasSize(6);
  }

  /** Whatever the moment at which it is killed, the rounds that count are the same ones, whole. */
  @ParameterizedTest(name = "killed after every {0} runs")
  @ValueSource(ints = {3, 4, 5, 7, 11})
  void continuesAfterItWasKilled(int runs) {
    TrialDesign design = design(List.of(BASE, SAME, A), 6, 100_000);
    SimulatedMachine whole = machine(design, EngineTest::seconds);
    whole.run();
    SimulatedMachine killed = machine(design, EngineTest::seconds);
    Optional<Ending> ending = Optional.empty();
    for (int session = 1; ending.isEmpty(); session++) {
      assertThat(session).isLessThan(100);
      ending = killed.run(session, runs);
    }
    assertThat(ending).contains(Ending.COMPLETE);
    assertThat(times(design, killed)).isEqualTo(times(design, whole)).hasSize(6);
    for (Map<String, Run> round : new Rounds(design, killed.journal()).counted()) {
      assertThat(round.values().stream().map(Run::session).distinct()).hasSize(1);
    }
  }

  private static List<Map<String, Double>> times(TrialDesign design, SimulatedMachine machine) {
    return new Rounds(design, machine.journal())
        .counted().stream()
            .map(
                round ->
                    round.entrySet().stream()
                        .collect(
                            Collectors.toMap(Map.Entry::getKey, run -> run.getValue().seconds())))
            .toList();
  }

  private static double seconds(RoundId round, String arm) {
    return 10 + round.number() + arm.length() / 10.0;
  }

  @Test
  void dropsTheWorstOfManyCandidatesAndAtMostThreeRemain() {
    List<Arm> arms = new ArrayList<>(List.of(BASE, SAME));
    for (int i = 1; i <= 6; i++) {
      arms.add(new Arm("e" + i, Role.CANDIDATE));
    }
    TrialDesign design = design(arms, 5, 100_000);
    SimulatedMachine machine =
        machine(
            design,
            (round, arm) ->
                10 + round.number() / 10.0 + (arm.startsWith("e") ? arm.charAt(1) - '2' : 0));
    assertThat(machine.run()).isEqualTo(Ending.COMPLETE);
    assertThat(names(new Rounds(design, machine.journal()).confirmed()))
        .containsExactly("base", "same", "e1");
    assertThat(machine.journal()).hasSize(8 + 3 * 8 + 5 * 3);
  }

  @Test
  void aCandidateThatFailsInTheCalibrationIsNotRunAgain() {
    TrialDesign design = design(List.of(BASE, SAME, A), 5, 100_000);
    SimulatedMachine machine =
        new SimulatedMachine(
            design, (round, arm) -> run(round, arm, arm.equals("a") ? Outcome.FAILED : Outcome.OK));
    assertThat(machine.run()).isEqualTo(Ending.COMPLETE);
    assertThat(machine.journal().stream().filter(run -> run.arm().equals("a"))).hasSize(1);
  }

  @Test
  void endsAtOnceIfTheBaselineFails() {
    SimulatedMachine machine =
        new SimulatedMachine(
            design(List.of(BASE, SAME, A), 5, 100_000),
            (round, arm) -> run(round, arm, Outcome.FAILED));
    assertThat(machine.run()).isEqualTo(Ending.BASELINE_FAILED);
    assertThat(machine.journal()).hasSize(1);
  }

  @Test
  void endsIfNothingIsLeftToCompare() {
    SimulatedMachine machine =
        new SimulatedMachine(
            design(List.of(BASE, A), 5, 100_000),
            (round, arm) -> run(round, arm, arm.equals("a") ? Outcome.TIMED_OUT : Outcome.OK));
    assertThat(machine.run()).isEqualTo(Ending.NOTHING_LEFT);
  }

  @Test
  void endsAfterTheCalibrationIfTooFewRoundsFit() {
    SimulatedMachine machine = machine(design(List.of(BASE, SAME, A), 20, 200), (r, arm) -> 10);
    assertThat(machine.run()).isEqualTo(Ending.BUDGET_TOO_SMALL);
    assertThat(machine.journal()).hasSize(3);
  }

  @Test
  void noRoundBeginsThatWouldEndAfterTheBudget() {
    SimulatedMachine machine = machine(design(List.of(BASE, SAME, A), 20, 250), (r, arm) -> 10);
    assertThat(machine.run()).isEqualTo(Ending.BUDGET);
    double spent = machine.journal().stream().mapToDouble(Run::seconds).sum();
    assertThat(spent).isBetween(200.0, 250.0);
    assertThat(machine.journal().size() % 3).isZero();
  }

  @Test
  void disturbedRoundsAreRepeatedWhole() {
    TrialDesign design = design(List.of(BASE, SAME, A), 5, 100_000);
    SimulatedMachine machine =
        new SimulatedMachine(
            design,
            (round, arm) -> disturbed(round, arm, round.number() == 2 && arm.equals("same")));
    assertThat(machine.run()).isEqualTo(Ending.COMPLETE);
    Rounds rounds = new Rounds(design, machine.journal());
    assertThat(rounds.counted()).hasSize(5);
    assertThat(rounds.disturbed()).isEqualTo(1);
  }

  @Test
  void endsIfEveryRoundIsDisturbed() {
    TrialDesign design = design(List.of(BASE, SAME, A), 6, 100_000);
    SimulatedMachine machine =
        new SimulatedMachine(design, (round, arm) -> disturbed(round, arm, true));
    assertThat(machine.run()).isEqualTo(Ending.DISTURBED);
    assertThat(machine.journal()).hasSize(3 + design.mostRounds() * 3);
  }

  @Test
  void endsIfTheBaselineFailsAgainAndAgain() {
    SimulatedMachine machine =
        new SimulatedMachine(
            design(List.of(BASE, SAME, A), 10, 100_000),
            (round, arm) ->
                run(
                    round,
                    arm,
                    round.phase() == Phase.CONFIRMATION && arm.equals("base")
                        ? Outcome.FAILED
                        : Outcome.OK));
    assertThat(machine.run()).isEqualTo(Ending.BASELINE_UNRELIABLE);
  }

  @Test
  void saysWhatRemains() {
    TrialDesign design = design(List.of(BASE, SAME, A), 5, 100_000);
    SimulatedMachine machine = machine(design, (r, arm) -> 10);
    Engine engine = new Engine(design);
    assertThat(engine.remainingSeconds(machine.journal())).isNaN();
    machine.run(1, 3);
    assertThat(engine.remainingSeconds(machine.journal())).isEqualTo(5 * 3 * 12.0);
    machine.run(1, Integer.MAX_VALUE);
    assertThat(engine.remainingSeconds(machine.journal())).isZero();
  }

  private static Run run(RoundId round, String arm, Outcome outcome) {
    return new Run(round, 0, arm, outcome, 10);
  }

  private static Run disturbed(RoundId round, String arm, boolean disturbed) {
    return new Run(round, 0, arm, Outcome.OK, 10, new java.util.TreeMap<>(), List.of(), disturbed);
  }

  private static SimulatedMachine machine(
      TrialDesign design, BiFunction<RoundId, String, Number> seconds) {
    return new SimulatedMachine(
        design,
        (round, arm) ->
            new Run(round, 0, arm, Outcome.OK, seconds.apply(round, arm).doubleValue()));
  }

  private static TrialDesign design(List<Arm> arms, int rounds, long budgetSeconds) {
    return new TrialDesign(
        4711, arms, Metric.DURATION, rounds, 0.03, 0, Duration.ofSeconds(budgetSeconds));
  }

  private static List<String> names(List<Arm> arms) {
    return arms.stream().map(Arm::name).toList();
  }
}
