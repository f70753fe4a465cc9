package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatusPaceTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final SparkNodeTopologyStatus WRITTEN = status("t0", 1L, executor("1-3", 97, 0));

  static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of("nothing but the time", status("t1", 1L, executor("1-3", 97, 0)), "PT5M"),
        Arguments.of("noise", status("t1", 1L, executor("1-3", 93, 4)), "PT5M"),
        Arguments.of("memory moves away", status("t1", 1L, executor("1-3", 92, 0)), "PT1M"),
        Arguments.of("throttling begins", status("t1", 1L, executor("1-3", 97, 5)), "PT1M"),
        Arguments.of("a percentage is known", status("t1", 1L, executor("1-3", 97, null)), "PT1M"),
        Arguments.of("other CPUs", status("t1", 1L, executor("4-6", 97, 0)), "PT2S"),
        Arguments.of("another wish", status("t1", 2L, executor("1-3", 97, 0)), "PT2S"),
        Arguments.of("an executor is gone", status("t1", 1L), "PT2S"),
        Arguments.of(
            "an executor more",
            status("t1", 1L, executor("1-3", 97, 0), executor("4-6", 97, 0)),
            "PT2S"));
  }

  @ParameterizedTest(name = "{0}: {2} after the last write")
  @MethodSource("changes")
  void writesWhatHappensAtOnceAndWhatDriftsOnceAMinute(
      String change, SparkNodeTopologyStatus next, Duration after) {
    assertThat(StatusPace.due(WRITTEN, AT, next)).isEqualTo(AT.plus(after));
  }

  @Test
  void writesTheFirstStatusAtOnce() {
    assertThat(StatusPace.due(null, AT, WRITTEN)).isBefore(AT);
  }

  private static SparkNodeTopologyStatus status(
      String heartbeat, Long generation, ExclusiveContainer... exclusive) {
    return new SparkNodeTopologyStatus(
        generation, heartbeat, "1", "boot", "1-7", List.of(exclusive), List.of(), List.of());
  }

  private static ExclusiveContainer executor(String cpus, Integer local, Integer throttled) {
    return new ExclusiveContainer(
        "default", "exec-1", "spark", "uid", "id", cpus, "0", cpus, "0", local, throttled);
  }
}
