package io.numaspark.e2e.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.e2e.stage.StagePlanner.Budget;
import io.numaspark.e2e.stage.StagePlanner.Plan;
import io.numaspark.e2e.stage.StagePlanner.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StagePlannerTest {
  private static final int CI_SECONDS = 3000;

  private final List<Stage> stages;
  private final Stage first;

  StagePlannerTest() throws IOException {
    stages = StagePlanner.read(Path.of(System.getProperty("repository.root"), "e2e", "stages.txt"));
    first = stages.get(0);
  }

  private Plan plan(Budget budget, int rotation) {
    return StagePlanner.plan(stages, stage -> true, StagePlanner.NO_LAB, budget, rotation);
  }

  @Test
  void withoutALimitEveryStageRunsInTheOrderOfTheTable() {
    Plan plan = plan(Budget.UNLIMITED, 7);
    assertThat(plan.run()).isEqualTo(stages);
    assertThat(plan.leftOut()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-5", "0", "1", "600", "3000"})
  void theFirstStageRunsFirstHoweverLittleTimeThereIs(int seconds) {
    for (int rotation = 0; rotation < 40; rotation++) {
      assertThat(plan(new Budget(seconds, 100), rotation).run()).startsWith(first);
    }
  }

  /**
   * Landings that are so many commits apart, on idle and on busy machines. If stages are added
   * until this fails, a run has to get more time, or a stage has to get shorter.
   */
  @ParameterizedTest
  @CsvSource({
    "3000, 100, 1, 13",
    "3000, 100, 2, 13",
    "3000, 100, 3, 13",
    "3000, 100, 5, 13",
    "3000, 100, 8, 13",
    "3000, 130, 1, 26",
    "3000, 130, 2, 26",
    "3400, 130, 5, 13",
    "2500, 100, 1, 13"
  })
  void everyStageRunsWithinAFewLandings(int seconds, int slowness, int commits, int landings) {
    for (int begin = 0; begin < 2 * stages.size(); begin++) {
      HashSet<Stage> ran = new HashSet<>();
      for (int i = 0; i < landings; i++) {
        ran.addAll(plan(new Budget(seconds, slowness), begin + i * commits).run());
      }
      assertThat(ran).as("landings from commit %d on", begin).hasSameSizeAs(stages);
    }
  }

  @Test
  void whatRunsFitsAndNothingElseWould() {
    Budget budget = new Budget(CI_SECONDS, 120);
    for (int rotation = 0; rotation < stages.size(); rotation++) {
      Plan plan = plan(budget, rotation);
      HashSet<Stage> taken = new HashSet<>(plan.run());
      assertThat(budget.allows(StagePlanner.usualSeconds(taken, StagePlanner.NO_LAB))).isTrue();
      for (Stage leftOut : plan.leftOut()) {
        HashSet<Stage> more = new HashSet<>(taken);
        more.add(leftOut);
        assertThat(budget.allows(StagePlanner.usualSeconds(more, StagePlanner.NO_LAB))).isFalse();
      }
    }
  }

  @Test
  void eachLabIsStartedOnce() {
    for (int rotation = 0; rotation < stages.size(); rotation++) {
      List<String> labs =
          plan(new Budget(CI_SECONDS, 100), rotation).run().stream().map(Stage::lab).toList();
      assertThat(labs.stream().distinct().count()).as("%s", labs).isEqualTo(changes(labs));
    }
  }

  private static long changes(List<String> labs) {
    long changes = 1;
    for (int i = 1; i < labs.size(); i++) {
      changes += labs.get(i).equals(labs.get(i - 1)) ? 0 : 1;
    }
    return changes;
  }

  /** What one commit leaves out for lack of time is what the rotation has last, not the table. */
  @Test
  void aMachineThatProvesSlowLeavesOutMoreAndStaysInItsLab() {
    Plan before = plan(new Budget(CI_SECONDS, 100), 3);
    Plan after =
        StagePlanner.plan(
            stages,
            stage -> !stage.equals(first),
            first.lab(),
            new Budget(CI_SECONDS - 2 * first.seconds(), 200),
            3);
    assertThat(StagePlanner.usualSeconds(Set.copyOf(after.run()), first.lab()))
        .isLessThan(StagePlanner.usualSeconds(Set.copyOf(before.run()), first.lab()));
    assertThat(after.run().get(0).lab()).isEqualTo(first.lab());
  }

  @Test
  void onlyWhatIsWantedIsPlanned() {
    Plan plan =
        StagePlanner.plan(
            stages, stage -> stage.name().equals("knobs"), "none", new Budget(10, 100), 0);
    assertThat(plan.run()).isEmpty();
    assertThat(plan.leftOut()).extracting(Stage::name).containsExactly("knobs");
  }

  @ParameterizedTest
  @CsvSource({"'a none 5'", "'a none x true'", "'a none 0 true'", "'a none 5 true\na none 6 true'"})
  void aRowThatIsWrongIsRefused(String text, @TempDir Path folder) throws IOException {
    Path table = Files.writeString(folder.resolve("stages.txt"), text);
    assertThatThrownBy(() -> StagePlanner.read(table))
        .hasMessageContaining("stages.txt")
        .hasMessageContaining("a none");
  }
}
