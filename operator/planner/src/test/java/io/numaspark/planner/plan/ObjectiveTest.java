package io.numaspark.planner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.jvm.ExecutorCpus;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.planner.plan.PlanResult.Candidate;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectiveTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // name | cores:stranded:straddling of 10 executors … | order | why the last lost
        "a tenth of the CPUs is accepted for a better size"
            + " | 1:0:0 6:10:0 | 6 1 | '4 to 6 cores are best, and 6 cores strand only 10 of 100 CPUs more'",
        "more than a tenth is not"
            + " | 1:0:0 6:11:0 | 1 6 | 'with 6 cores 11 of 100 CPUs are stranded, with 1 core 0 (a better size may strand up to 10)'",
        "the fewest counts, not the winner"
            + " | 1:0:0 2:9:0 6:12:0 | 2 1 6 | 'with 6 cores 12 of 100 CPUs are stranded, with 2 cores 9 (a better size may strand up to 10)'",
        "caches come before size"
            + " | 4:0:0 6:0:3 | 4 6 | with 6 cores 3 of 10 executors straddle last-level caches, with 4 cores 0 of 10",
        "a fifth may straddle" + " | 4:0:0 6:0:2 | 6 4 | 'larger sizes win between 4 and 6 cores'",
        "stranded CPUs come before caches"
            + " | 2:0:9 6:20:0 | 2 6 | 'with 6 cores 20 of 100 CPUs are stranded, with 2 cores 0 (a better size may strand up to 10)'",
        "4 to 6 cores compete more closely"
            + " | 4:0:0 6:6:0 | 4 6 | 'with 6 cores 6 of 100 CPUs are stranded, with 4 cores 0 (a better size may strand up to 5)'",
        "4 cores beat 8" + " | 4:0:0 8:0:0 | 4 8 | 4 to 6 cores are best",
        "7 cores beat 3"
            + " | 3:0:0 7:0:0 | 7 3 | '6 cores are best, and a core above counts as two below'",
      })
  void ranksAndGivesReasons(String name, String shapes, String order, String why) {
    List<Candidate> candidates =
        Arrays.stream(shapes.trim().split(" ")).map(ObjectiveTest::candidate).toList();
    Objective objective = new Objective(100, ShapePriorities.USUAL);
    List<Candidate> ranked = objective.ranked(candidates);
    assertThat(ranked)
        .extracting(candidate -> String.valueOf(candidate.shape().cpus().cores()))
        .containsExactly(order.trim().split(" "));
    assertThat(objective.whyLost(ranked.get(ranked.size() - 1), candidates)).isEqualTo(why);
    assertThat(objective.whyLost(ranked.get(0), candidates)).isEmpty();
  }

  @Test
  void sizesAreOrderedAroundSix() {
    List<Candidate> all =
        IntStream.rangeClosed(1, 12).mapToObj(c -> candidate(c + ":0:0")).toList();
    assertThat(new Objective(100, ShapePriorities.USUAL).ranked(all))
        .extracting(candidate -> candidate.shape().cpus().cores())
        .containsExactly(6, 5, 4, 7, 3, 2, 8, 1, 9, 10, 11, 12);
  }

  @Test
  void cachesCanBeLeftOut() {
    List<Candidate> candidates = List.of(candidate("4:0:0"), candidate("6:0:10"));
    assertThat(
            new Objective(100, new ShapePriorities(true, OptionalInt.empty()))
                .ranked(candidates)
                .get(0))
        .isEqualTo(candidates.get(1));
  }

  @Test
  void startsCountLikeStrandedCpusIfItIsKnownHowLongApplicationsRun() {
    List<Candidate> candidates = List.of(candidate("4:0:0", 24), candidate("6:4:0", 16));
    assertThat(winner(candidates, OptionalInt.empty())).isEqualTo("6");
    assertThat(
            winner(List.of(candidate("2:0:0", 50), candidate("6:11:0", 16)), OptionalInt.empty()))
        .isEqualTo("2");
    // In half a minute the start of 50 executors takes 17 CPUs, that of 16 takes 5.
    List<Candidate> shortRuns = List.of(candidate("2:0:0", 50), candidate("6:11:0", 16));
    assertThat(winner(shortRuns, OptionalInt.of(30))).isEqualTo("6");
    assertThat(winner(shortRuns, OptionalInt.of(3600))).isEqualTo("2");
    List<Candidate> twoSizes = List.of(candidate("4:0:0", 28), candidate("6:0:0", 10));
    Objective objective = new Objective(100, new ShapePriorities(false, OptionalInt.of(30)));
    assertThat(objective.whyLost(twoSizes.get(0), twoSizes))
        .isEqualTo(
            "with 4 cores 0 of 100 CPUs are stranded and starts take 9, with 6 cores 0 and 3 (a better size may lose up to 8)");
  }

  private static String winner(List<Candidate> candidates, OptionalInt runSeconds) {
    Objective objective = new Objective(100, new ShapePriorities(false, runSeconds));
    return String.valueOf(objective.ranked(candidates).get(0).shape().cpus().cores());
  }

  /** A shape of cores:stranded CPUs:straddling executors of 10. */
  private static Candidate candidate(String text) {
    return candidate(text, 10);
  }

  private static Candidate candidate(String text, int slots) {
    int[] numbers = Arrays.stream(text.split(":")).mapToInt(Integer::parseInt).toArray();
    return new Candidate(
        new ExecutorShape(
            new ExecutorCpus(numbers[0], numbers[0], numbers[0]),
            new ExecutorMemory(ExecutorMemory.SMALLEST_HEAP_BYTES, 0, 0)),
        slots,
        numbers[1],
        0,
        numbers[2],
        1,
        List.of());
  }
}
