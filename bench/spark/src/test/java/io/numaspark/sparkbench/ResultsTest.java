package io.numaspark.sparkbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.numaspark.trial.statistics.PairedRatios;
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
    PairedRatios ratios = results.ratio("heavy", "new", "old").orElseThrow();
    assertThat(ratios.rounds()).isEqualTo(2);
    assertThat(ratios.range().low()).isCloseTo(0.5, within(1e-9));
    assertThat(ratios.range().high()).isCloseTo(0.75, within(1e-9));
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
        .isCloseTo(0.5, within(1e-9));
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
