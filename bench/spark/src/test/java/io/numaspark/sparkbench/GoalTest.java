package io.numaspark.sparkbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoalTest {

  private final Results results = Examples.results();

  @Test
  void takesTheMedianOfTheShuffleHeavyQueriesOnly() {
    assertThat(new Goal.MedianOfShuffleHeavy("new", "old", 0.69).judge(results))
        .contains(new Goal.Verdict(0.625, 0.69));
  }

  @Test
  void takesTheWorstOfAllQueries() {
    Goal.Verdict verdict = new Goal.NoQuerySlower("new", "old", 1.05).judge(results).orElseThrow();

    assertThat(verdict.met()).isFalse();
    assertThat(verdict.text()).isEqualTo("**not met**: +10.0 % of time, at most +5.0 %");
  }

  @Test
  void saysHowMuchLessTimeAQueryMustTake() {
    Goal goal = new Goal.OneQuery("heavy", "new", "old", 0.66);

    assertThat(goal.text()).isEqualTo("heavy, new: at least 34 % less time than old");
    assertThat(goal.judge(results).orElseThrow().text())
        .isEqualTo("**met**: -37.5 % of time, at most -34.0 %");
  }

  @Test
  void findsTheBestByMedianTime() {
    Goal goal = new Goal.NearBest("heavy", "old", List.of("newer", "new", "old"), 1.05);

    assertThat(goal.judge(results).orElseThrow().met()).isFalse();
    assertThat(goal.judge(results).orElseThrow().text())
        .endsWith(" (the best is new; not measured: newer)");
    assertThat(
            new Goal.NearBest("heavy", "new", List.of("new", "old"), 1.05)
                .judge(results)
                .orElseThrow()
                .met())
        .isTrue();
  }

  @Test
  void judgesNothingThatWasNotMeasured() {
    assertThat(new Goal.OneQuery("heavy", "newer", "old", 0.66).judge(results)).isEmpty();
    assertThat(new Goal.NearBest("heavy", "new", List.of("newer"), 1.05).judge(results)).isEmpty();
    assertThat(new Goal.NoQuerySlower("newer", "old", 1.05).judge(results)).isEmpty();
  }
}
