package io.numaspark.sparkbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

  private final Results results = Examples.results();

  @Test
  void leavesWarmUpsOut() {
    assertThat(results.sample("heavy", "old", Measurement::seconds))
        .contains(new Sample(2, 6, 2, 4, 8));
  }

  @Test
  void comparesWithinARound() {
    assertThat(results.ratio("heavy", "new", "old"))
        .contains(new Sample(2, 0.625, 0.125, 0.5, 0.75));
  }

  @Test
  void hasNoRatioOfWhatWasNotMeasured() {
    assertThat(results.ratio("heavy", "newer", "old")).isEmpty();
    assertThat(results.variants()).containsExactly("old", "new");
  }

  @Test
  void comparesWithWhatTheSuiteSays() {
    List<Measurement> more = new ArrayList<>(results.measurements());
    more.add(Examples.measured("heavy", "newer", 1, 3));

    assertThat(new Results(Examples.suite(), more).ratio("heavy", "newer").orElseThrow().median())
        .isEqualTo(0.5);
  }

  @Test
  void callsTheHalfThatShufflesMostHeavy() {
    assertThat(results.shuffleHeavy("old")).containsExactly("heavy");
  }

  @Test
  void givesGarbageCollectionAsShareOfTaskTime() {
    assertThat(results.of("heavy", "old").get(0).gcShare()).isEqualTo(0.25);
  }
}
