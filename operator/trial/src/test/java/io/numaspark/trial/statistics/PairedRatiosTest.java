package io.numaspark.trial.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compared with published examples and with known truth. */
class PairedRatiosTest {

  /** The differences of R's data set {@code sleep} (Student 1908), as log ratios. */
  private static final PairedRatios SLEEP =
      ofLogs(-1.2, -2.4, -1.3, -1.3, 0.0, -1.0, -1.8, -0.8, -4.6, -1.4);

  @Test
  void intervalIsThatOfStudentsPairedTest() {
    Interval interval = SLEEP.interval(0.95);
    assertThat(Math.log(SLEEP.mean())).isCloseTo(-1.58, within(1e-9));
    assertThat(Math.log(interval.low())).isCloseTo(-2.4598858, within(1e-7));
    assertThat(Math.log(interval.high())).isCloseTo(-0.7001142, within(1e-7));
  }

  /** The depression scores of Hollander and Wolfe (1973, p. 29), as in R's {@code wilcox.test}. */
  @Test
  void signedRankIsThatOfWilcoxonsTest() {
    PairedRatios ratios = ofLogs(0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01);
    assertThat(ratios.signedRankP()).isCloseTo(0.0390625, within(1e-9));
  }

  @ParameterizedTest(name = "{0} rounds")
  @CsvSource({"5, 0.0625", "6, 0.03125", "7, 0.015625", "10, 0.001953125"})
  void smallestPOfTheSignedRankTest(int rounds, double p) {
    double[] logs = DoubleStream.iterate(0.1, log -> log + 0.01).limit(rounds).toArray();
    assertThat(ofLogs(logs).signedRankP()).isCloseTo(p, within(1e-12));
  }

  @Test
  void sameTimesHaveNoDifference() {
    PairedRatios ratios = PairedRatios.of(List.of(1.0, 1.0, 1.0, 1.0, 1.0));
    assertThat(ratios.signedRankP()).isEqualTo(1);
    assertThat(ratios.interval(0.95)).isEqualTo(new Interval(1, 1));
  }

  /** The table of half-widths for 5, 7 and 10 rounds with a noise of 5 %. */
  @ParameterizedTest(name = "{0} rounds")
  @CsvSource({"5, 0.064", "7, 0.047", "10, 0.036"})
  void detectableDifference(int rounds, double share) {
    assertThat(PairedRatios.detectable(0.05, rounds, 0.95)).isCloseTo(share, within(0.001));
  }

  @Test
  void intervalsCoverTheTruthAsOftenAsTheySay() {
    Random random = new Random(11);
    int trials = 4000;
    int covered = 0;
    for (int trial = 0; trial < trials; trial++) {
      List<Double> ratios = new ArrayList<>();
      for (int round = 0; round < 7; round++) {
        ratios.add(0.9 * Math.exp(0.05 * random.nextGaussian()));
      }
      covered += PairedRatios.of(ratios).interval(0.95).contains(0.9) ? 1 : 0;
    }
    assertThat(covered / (double) trials).isBetween(0.94, 0.96);
  }

  @Test
  void medianAndRange() {
    PairedRatios ratios = PairedRatios.of(List.of(0.8, 1.25, 1.0, 0.5));
    assertThat(ratios.median()).isCloseTo(0.9, within(1e-12));
    assertThat(ratios.range().low()).isCloseTo(0.5, within(1e-12));
    assertThat(ratios.range().high()).isCloseTo(1.25, within(1e-12));
  }

  @Test
  void refusesWhatIsNoRatio() {
    for (double ratio : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> PairedRatios.of(List.of(ratio)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> PairedRatios.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PairedRatios.of(List.of(1.0)).interval(0.95))
        .isInstanceOf(IllegalStateException.class);
  }

  private static PairedRatios ofLogs(double... logs) {
    return PairedRatios.of(DoubleStream.of(logs).map(Math::exp).boxed().toList());
  }
}
