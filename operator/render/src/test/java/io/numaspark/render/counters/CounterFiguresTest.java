package io.numaspark.render.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Counts;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.render.knobs.AgentHealth;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterFiguresTest {
  private static final ExecutorCounters FIGURES = new ExecutorCounters(1.2, 30, 40, 500, 2133);

  @Test
  void figuresAreRatiosOfCounts() {
    assertThat(
            CounterFigures.of(
                new Counts(
                    60_000L,
                    2_000_000_000L,
                    2_470_000_000L,
                    7L,
                    1_400_000_000L,
                    600_000_000L,
                    12_000_000_000L,
                    4_800_000_000L,
                    30_000L,
                    3L)))
        .contains(FIGURES);
  }

  /** In a guest the kernel counts its own events only. */
  @Test
  void whatIsNotCountedIsAbsent() {
    assertThat(
            CounterFigures.of(
                new Counts(60_000L, null, null, null, null, null, null, null, 30_000L, 3L)))
        .contains(new ExecutorCounters(null, null, null, 500, null));
    assertThat(CounterFigures.of(null)).isEmpty();
    assertThat(
            CounterFigures.of(
                new Counts(60_000L, null, null, null, null, null, null, null, null, null)))
        .isEmpty();
  }

  /** An agent may be of another version, or in another's hands. */
  @ParameterizedTest
  @CsvSource({
    "500, 400, 0, 0", // noise
    "0, 4000, 0, 0",
    "-5000, 4000, -1, 5000",
    "5000, -4000, 5000, -1",
    "9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807"
  })
  void nonsenseIsNeitherDividedNorThrown(long cycles, long instructions, long local, long remote) {
    Counts counts =
        new Counts(0L, cycles, instructions, null, local, remote, null, null, Long.MAX_VALUE, null);
    assertThat(CounterFigures.of(counts).orElse(ExecutorCounters.NONE))
        .satisfies(
            figures -> {
              assertThat(figures.instructionsPerCycle()).isIn(null, 1.0);
              assertThat(figures.remoteAccessPercent()).isNull();
              assertThat(figures.switchesPerSecond()).isNull();
            });
  }

  @Test
  void theMeanIsThatOfThoseThatHaveIt() {
    assertThat(
            CounterFigures.mean(
                List.of(
                    FIGURES,
                    new ExecutorCounters(0.8, null, 50, null, 2200),
                    new ExecutorCounters(null, null, null, 1500, null))))
        .contains(new ExecutorCounters(1.0, 30, 45, 1000, 2167));
    assertThat(CounterFigures.mean(List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1.2, 30, 40, 500, 2100, true",
    "1.3, 35, 45, 700, 1200, true",
    "1.4, 30, 40, 500, 2100, false",
    "1.2, 40, 40, 500, 2100, false",
    "1.2, 30, 30, 500, 2100, false",
    "1.2, 30, 40, 800, 2100, false",
    "1.2, 30, 40, 500, 1000, false",
    "1.2, , 40, 500, 2100, false",
  })
  void aStatusIsWorthWhatHasMoved(
      double perCycle,
      Integer remote,
      Integer stalled,
      Integer switches,
      Integer read,
      boolean near) {
    ExecutorCounters other = new ExecutorCounters(perCycle, remote, stalled, switches, read);
    assertThat(CounterFigures.areNear(FIGURES, other)).isEqualTo(near);
    assertThat(CounterFigures.areNear(FIGURES, null)).isFalse();
    assertThat(CounterFigures.areNear(null, null)).isTrue();
  }

  /** Counts move at each write; the operator does nothing about that. */
  @Test
  void anAgentsCountsAreNewsOnlyIfTheirRatiosMove() {
    SparkNodeTopologyStatus before = status(1_000_000, 2_000_000);
    assertThat(AgentHealth.differ(before, status(9_000_000, 18_000_000))).isFalse();
    assertThat(AgentHealth.differ(before, status(9_000_000, 9_000_000))).isTrue();
    assertThat(AgentHealth.differ(before, status(null, null))).isTrue();
  }

  private static SparkNodeTopologyStatus status(Integer cycles, Integer instructions) {
    Counts counts =
        cycles == null
            ? null
            : new Counts(
                1L,
                cycles.longValue(),
                instructions.longValue(),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    return new SparkNodeTopologyStatus(
        null,
        null,
        null,
        null,
        null,
        List.of(
            new ExclusiveContainer(
                "a", "b", "c", "d", "e", "0-1", "0", "0-1", "0", 99, 0, null, counts)),
        null,
        null,
        null,
        null,
        null);
  }
}
