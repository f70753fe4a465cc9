package numaspark.adaptive;

import static numaspark.adaptive.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import numaspark.adaptive.AdaptiveScenario.Kind;
import numaspark.adaptive.AdaptiveScenario.Seen;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(240)
class AdaptiveIT {
  private static final String MODE = "spark.numaspark.adaptive.mode";
  private static final String TWO = "local-cluster[2,8,1024]";

  @TempDir Path dir;

  @BeforeAll
  static void sparkHome() throws IOException {
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
  }

  @Test
  void findsTheNumberOfADiskOnceAndKeepsItForTheNextJob() throws Exception {
    try (AdaptiveScenario scenario = new AdaptiveScenario("local[8]", MODE, "dynamic")) {
      List<Seen> first = scenario.run(Kind.HDD, 64);
      scenario.awaitMetric("decisions.explored", 1);
      List<Seen> second = scenario.run(Kind.HDD, 64);
      scenario.awaitMetric("decisions.learnt", 1);

      assertThat(AdaptiveScenario.togetherAtTheEnd(first, 1)).containsEntry("driver", 8);
      assertThat(AdaptiveScenario.togetherAtTheEnd(first, 0.25)).containsEntry("driver", 4);
      // Two tasks pass while the driver is asked; then the learnt number, never more.
      assertThat(AdaptiveScenario.togetherAtTheEnd(second, 1)).containsEntry("driver", 4);
      assertThat(scenario.metric("decisions.explored")).isEqualTo(1);
      assertThat(scenario.metric("threads.median")).isEqualTo(4);
      until(() -> scenario.metric("gateMillis") > 0);
    }
  }

  @Test
  void stagesThatComputeAndStagesOfFewTasksKeepAllSlots() throws Exception {
    try (AdaptiveScenario scenario = new AdaptiveScenario("local[4]", MODE, "dynamic")) {
      List<Seen> cpu = scenario.run(Kind.CPU, 64);
      scenario.awaitMetric("decisions.not-io-bound", 1);
      List<Seen> few = scenario.run(Kind.HDD, 8);

      assertThat(AdaptiveScenario.togetherAtTheEnd(cpu, 0.5)).containsEntry("driver", 4);
      assertThat(AdaptiveScenario.togetherAtTheEnd(few, 1)).containsEntry("driver", 4);
    }
  }

  @Test
  void theSlowExecutorLeavesTasksToTheFastOne() throws Exception {
    try (AdaptiveScenario scenario = new AdaptiveScenario(TWO, MODE, "dynamic")) {
      scenario.awaitExecutors(2);
      List<Seen> seen = scenario.run(Kind.MIXED, 192);
      scenario.awaitMetric("decisions.explored", 2);
      scenario.awaitMetric("withheldCores", 0);

      Map<String, Long> tasks =
          seen.stream().collect(Collectors.groupingBy(Seen::executor, Collectors.counting()));
      assertThat(AdaptiveScenario.togetherAtTheEnd(seen, 0.25))
          .containsEntry("0", 4)
          .containsEntry("1", 8);
      assertThat(tasks.get("1")).isGreaterThan(tasks.get("0"));

      // Every slot was given back: a job over all of them runs at once.
      assertThat(scenario.barrier(16)).isEqualTo(16);
    }
  }

  @Test
  void theDriverOffersOnlyTheSlotsInUse() throws Exception {
    try (AdaptiveScenario scenario = new AdaptiveScenario(TWO, MODE, "dynamic")) {
      scenario.awaitExecutors(2);
      scenario.run(Kind.HDD, 128);
      Thread job = new Thread(() -> scenario.run(Kind.HDD, 128));
      job.start();

      scenario.awaitMetric("withheldCores", 8);
      until(() -> scenario.metric("withheldCores") == 0 || scenario.mostRunning() <= 4);
      assertThat(scenario.metric("withheldCores")).isEqualTo(8);
      job.join();
      scenario.awaitMetric("withheldCores", 0);
    }
  }

  @Test
  void aLostExecutorIsForgottenAndItsSuccessorHasAllItsSlots() throws Exception {
    try (AdaptiveScenario scenario = new AdaptiveScenario(TWO, MODE, "dynamic")) {
      scenario.awaitExecutors(2);

      assertThat(scenario.runWithLoss(128)).hasSize(128);

      scenario.awaitExecutors(2);
      scenario.awaitMetric("withheldCores", 0);
      assertThat(scenario.barrier(16)).isEqualTo(16);
    }
  }

  @Test
  void withoutSchedulerSlotsNothingIsWithheld() throws Exception {
    try (AdaptiveScenario scenario =
        new AdaptiveScenario(
            TWO, MODE, "dynamic", "spark.numaspark.adaptive.schedulerSlots", "false")) {
      scenario.awaitExecutors(2);
      List<Seen> seen = scenario.run(Kind.HDD, 128);
      scenario.awaitMetric("decisions.explored", 2);

      assertThat(scenario.metric("withheldCores")).isZero();
      assertThat(AdaptiveScenario.togetherAtTheEnd(seen, 0.25))
          .containsEntry("0", 4)
          .containsEntry("1", 4);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aKilledJobLeavesTheGateAndTheNextOneFindsItWhole(boolean interrupt) throws Exception {
    try (AdaptiveScenario scenario = new AdaptiveScenario("local[8]", MODE, "dynamic")) {
      LongAccumulator passed = scenario.spark().sc().longAccumulator();
      scenario.endless(64, passed, interrupt);
      until(() -> scenario.mostRunning() == 8);

      scenario.cancel();

      List<Seen> seen = scenario.run(Kind.HDD, 64);
      assertThat(seen).hasSize(64);
      assertThat(AdaptiveScenario.togetherAtTheEnd(seen, 0.25)).containsEntry("driver", 4);
      assertThat(scenario.barrier(8)).isEqualTo(8);
    }
  }

  @Test
  void tasksKilledAtTheGateNeverRun() throws Exception {
    try (AdaptiveScenario scenario =
        new AdaptiveScenario(
            "local[8]", MODE, "dynamic", "spark.numaspark.adaptive.dynamic.maxThreads", "2")) {
      LongAccumulator passed = scenario.spark().sc().longAccumulator();
      scenario.endless(64, passed, false);
      until(() -> scenario.mostRunning() == 8);

      scenario.cancel();

      // Killed tasks' counts reach the driver with their failure, or not at all.
      assertThat(passed.value()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void failedTasksGiveTheirPlacesBack() throws Exception {
    try (AdaptiveScenario scenario = new AdaptiveScenario("local[8,4]", MODE, "dynamic")) {
      List<Integer> numbers = java.util.stream.IntStream.range(0, 64).boxed().toList();
      long count =
          scenario
              .spark()
              .parallelize(numbers, 64)
              .filter(
                  x -> {
                    if (org.apache.spark.TaskContext.get().attemptNumber() < 2) {
                      throw new IllegalStateException("on purpose");
                    }
                    return true;
                  })
              .count();
      assertThat(count).isEqualTo(64);
    }
  }

  @Test
  void staticLimitsStagesOfFilesAndNoOthers() throws Exception {
    try (AdaptiveScenario scenario =
        new AdaptiveScenario(
            "local[8]", MODE, "static", "spark.numaspark.adaptive.static.threads", "2")) {
      scenario.files(dir);
      scenario.awaitMetric("decisions.static", 4);
      assertThat(scenario.metric("threads.max")).isIn(2L, 8L);

      List<Seen> seen = scenario.run(Kind.HDD, 32);
      assertThat(AdaptiveScenario.togetherAtTheEnd(seen, 0.5)).containsEntry("driver", 8);
      assertThat(scenario.barrier(8)).isEqualTo(8);
    }
  }

  @Test
  void aWrongModeStopsTheApplication() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AdaptiveScenario("local[1]", MODE, "on").close())
        .withMessageContaining("spark.numaspark.adaptive.mode=on: expected off, static or dynamic");
  }
}
