package io.numaspark.controller.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ArmInfo;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.controller.lifecycle.TrialSituation.TrialProblem;
import io.numaspark.controller.lifecycle.TrialSituation.TrialProblem.Kind;
import io.numaspark.controller.status.Conditions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole trials with the engine, the lifecycle and the status, on a simulated cluster. */
class TrialLifecycleTest {
  private static final Map<String, Double> PINNING_PAYS =
      Map.of("free", 100.0, "same", 100.0, "delayed", 115.0, "pinned", 90.0);
  private static final Map<String, Double> NO_DIFFERENCE =
      Map.of("free", 100.0, "same", 100.0, "delayed", 115.0, "pinned", 100.0);

  private static String condition(SparkTrialStatus status, String type) {
    return Conditions.named(type, status.conditions()).orElseThrow().getStatus();
  }

  private static ArmInfo arm(SparkTrialStatus status, String name) {
    return status.arms().stream().filter(arm -> arm.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void anArmThatIsFasterIsRecommendedWithItsPatch() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    SparkTrialStatus status = simulation.run(2000);
    assertThat(status.summary()).startsWith("It pays: pinned takes 10.");
    assertThat(status.recommendation().arm()).isEqualTo("pinned");
    assertThat(status.recommendation().profile().at("/pinning/mode").asText()).isEqualTo("Enforce");
    assertThat(arm(status, "pinned").percent()).isBetween(88.0, 92.0);
    assertThat(arm(status, "pinned").low()).isLessThan(90).isGreaterThan(80);
    assertThat(arm(status, "delayed").verdict()).isEqualTo("SLOWER");
    assertThat(condition(status, "Ready")).isEqualTo("True");
    assertThat(condition(status, "Trustworthy")).isEqualTo("True");
    assertThat(condition(status, "Locked")).isEqualTo("False");
    assertThat(status.rounds().done()).isEqualTo(6);
    assertThat(status.ending()).isEqualTo("COMPLETE");
    // Seven rounds of four arms, and no run twice.
    assertThat(status.runs()).hasSize(28);
    assertThat(simulation.everCreated).hasSize(28);
  }

  @Test
  void withoutADifferenceNothingIsRecommended() {
    SparkTrialStatus status = new TrialSimulation("study: Pinning\n", NO_DIFFERENCE).run(2000);
    assertThat(status.summary()).startsWith("Keep what you have");
    assertThat(status.recommendation()).isNull();
    assertThat(condition(status, "Trustworthy")).isEqualTo("True");
  }

  @Test
  void aDelayThatIsNotSeenMakesItDoubtItself() {
    SparkTrialStatus status =
        new TrialSimulation(
                "study: Pinning\n",
                Map.of("free", 100.0, "same", 100.0, "delayed", 100.0, "pinned", 90.0))
            .run(2000);
    assertThat(condition(status, "Trustworthy")).isEqualTo("False");
    assertThat(status.recommendation()).isNull();
    assertThat(status.summary()).contains("cannot be trusted");
  }

  /** What was done without being written is done again, and gives the same trial. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anOperatorThatDiesAgainAndAgainComesToTheSameResult(long seed) {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    Random random = new Random(seed);
    for (int i = 0; i < 6000; i++) {
      if (simulation.status() != null && simulation.status().phase() == Phase.Completed) {
        break;
      }
      simulation.step(random.nextInt(4) == 0);
    }
    SparkTrialStatus status = simulation.status();
    assertThat(status.phase()).isEqualTo(Phase.Completed);
    assertThat(status.recommendation().arm()).isEqualTo("pinned");
    assertThat(status.runs()).hasSize(28);
    assertThat(simulation.everCreated).hasSize(28);
  }

  @Test
  void othersAreWaitedForAndThenGivenWayTo() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    simulation.others = List.of("team/spark-1");
    simulation.step(false);
    simulation.step(false);
    assertThat(simulation.status().phase()).isEqualTo(Phase.Waiting);
    assertThat(Conditions.named("Locked", simulation.status().conditions()).get().getMessage())
        .contains("team/spark-1");
    simulation.now = simulation.now.plus(TrialLifecycle.LONGEST_DRAIN);
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.GiveWay.class);
    assertThat(simulation.lockedSince).isEmpty();
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Follow.class);
    simulation.now = simulation.now.plus(Duration.ofMinutes(31));
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Lock.class);
    simulation.others = List.of();
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Prepare.class);
    assertThat(simulation.status().givesWayUntil()).isNull();
  }

  @Test
  void aTrialThatIsSuspendedRepeatsItsRound() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    while (simulation.status() == null
        || simulation.status().runs() == null
        || simulation.status().runs().size() < 6) {
      simulation.step(false);
    }
    SparkTrialStatus before = simulation.status();
    simulation.trial.setSpec(TrialSimulation.trial("study: Pinning\nsuspend: true\n").getSpec());
    simulation.step(false);
    simulation.step(false);
    assertThat(simulation.status().phase()).isEqualTo(Phase.Suspended);
    assertThat(simulation.status().session()).isEqualTo(2);
    assertThat(simulation.status().run()).isNull();
    assertThat(simulation.lockedSince).isEmpty();
    simulation.trial.setSpec(TrialSimulation.trial("study: Pinning\n").getSpec());
    SparkTrialStatus status = simulation.run(2000);
    assertThat(status.recommendation().arm()).isEqualTo("pinned");
    // The two runs of the round that was interrupted are in the list, and were made again.
    assertThat(status.runs()).hasSize(28 + 2).startsWith(before.runs().get(0));
  }

  @Test
  void whatCannotBeMeasuredIsRefusedAndGivesTheNodesBack() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    for (int i = 0; i < 5; i++) {
      simulation.step(false);
    }
    assertThat(simulation.lockedSince).isPresent();
    simulation.problem = Optional.of(new TrialProblem(Kind.NOT_ALLOWED, "ask somebody"));
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Refuse.class);
    assertThat(simulation.lockedSince).isEmpty();
    assertThat(simulation.status().phase()).isEqualTo(Phase.Pending);
    assertThat(condition(simulation.status(), "Ready")).isEqualTo("False");
  }

  @Test
  void aRunThatHangsIsEndedAndCountsAgainstItsArm() {
    SparkTrialStatus status =
        new TrialSimulation(
                "study: Pinning\n",
                Map.of("free", 100.0, "same", 100.0, "delayed", 115.0, "pinned", 1e6))
            .run(3000);
    assertThat(status.runs())
        .filteredOn(run -> run.arm().equals("pinned"))
        .first()
        .satisfies(run -> assertThat(run.outcome()).isEqualTo("TIMED_OUT"));
    assertThat(arm(status, "pinned").verdict()).isIn("NOT_MEASURED", "FAILED");
    assertThat(status.recommendation()).isNull();
  }

  @Test
  void aBudgetThatIsTooSmallEndsItAfterTheCalibration() {
    SparkTrialStatus status =
        new TrialSimulation(
                "study: Pinning\nbudgetMinutes: 20\n".replace("budgetMinutes: 20\n", ""),
                Map.of("free", 9000.0, "same", 9000.0, "delayed", 9900.0, "pinned", 9000.0))
            .run(30000);
    assertThat(status.ending()).isIn("BUDGET_TOO_SMALL", "BUDGET");
    assertThat(condition(status, "Trustworthy")).isEqualTo("False");
  }

  @Test
  void roundsThatWereDisturbedAreRepeated() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    while (simulation.status() == null || simulation.status().phase() != Phase.Confirming) {
      simulation.step(false);
    }
    while (simulation.status().runs().size() < 9) {
      simulation.step(false);
      if (simulation.status().run() != null) {
        simulation.trial.setStatus(
            new io.numaspark.controller.status.TrialStatusDraft(simulation.trial, simulation.now)
                .disturbed(List.of("other/spark-2"))
                .build());
      }
    }
    SparkTrialStatus status = simulation.run(3000);
    assertThat(status.rounds().disturbed()).isPositive();
    assertThat(status.rounds().done()).isEqualTo(6);
    assertThat(status.runs()).anySatisfy(run -> assertThat(run.remark()).contains("other/spark-2"));
  }

  @Test
  void itIsDeletedWhenItsTimeToLiveIsOver() {
    TrialSimulation simulation =
        new TrialSimulation("study: Pinning\ntimeToLiveSeconds: 60\n", NO_DIFFERENCE);
    simulation.run(2000);
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Follow.class);
    simulation.now = simulation.now.plusSeconds(60);
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Delete.class);
  }

  /** Pods of the run before end after their driver, and would disturb the next one. */
  @Test
  void aRunIsNotCreatedWhileExecutorsOfTheOneBeforeAreLeft() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    while (simulation.status() == null || simulation.status().run() == null) {
      simulation.step(false);
    }
    simulation.others = List.of("default/spark-before");
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Follow.class);
    simulation.others = List.of();
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Create.class);
  }

  @Test
  void executorsOfStrangersDoNotHoldItUpForEver() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    while (simulation.status() == null || simulation.status().run() == null) {
      simulation.step(false);
    }
    simulation.others = List.of("other/spark-9");
    simulation.now = simulation.now.plus(TrialLifecycle.LONGEST_START).plusSeconds(1);
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Create.class);
  }

  @Test
  void aTrialThatHasEndedStaysSoWhileAnotherHasTheNodes() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", NO_DIFFERENCE);
    simulation.run(2000);
    simulation.holder = Optional.of("other/trial");
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Follow.class);
    assertThat(simulation.status().phase()).isEqualTo(Phase.Completed);
  }

  @Test
  void aTrialQueuesBehindAnother() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", NO_DIFFERENCE);
    simulation.holder = Optional.of("other/trial");
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Queue.class);
  }

  @Test
  void aProfileThatIsNeverPlannedAsTheRunNeedsItEndsTheRun() {
    TrialSimulation simulation = new TrialSimulation("study: Pinning\n", PINNING_PAYS);
    while (simulation.status() == null || simulation.status().run() == null) {
      simulation.step(false);
    }
    simulation.planned = false;
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.Follow.class);
    simulation.now = simulation.now.plus(TrialLifecycle.LONGEST_START);
    assertThat(simulation.step(false)).isInstanceOf(TrialStep.TimeOut.class);
    assertThat(simulation.status().runs().get(0).remark()).contains("was not planned");
  }
}
