package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.WithheldNode;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WithheldStatusTest {
  /** Anybody with the right may write a status; the operator has to start nevertheless. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "no name,              , OutOfcpu, 1, 2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z, 2026-11-21T08:01:00Z",
    "no reason,         n-1,         , 1, 2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z, 2026-11-21T08:01:00Z",
    "no number,         n-1, OutOfcpu,  , 2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z, 2026-11-21T08:01:00Z",
    "number below 1,    n-1, OutOfcpu, 0, 2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z, 2026-11-21T08:01:00Z",
    "no time,           n-1, OutOfcpu, 1,                     , 2026-11-21T08:00:00Z, 2026-11-21T08:01:00Z",
    "no such time,      n-1, OutOfcpu, 1, yesterday,            2026-11-21T08:00:00Z, 2026-11-21T08:01:00Z",
    "for years,         n-1, OutOfcpu, 1, 2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z, 2036-11-21T08:01:00Z",
    "ends before start, n-1, OutOfcpu, 1, 2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z, 2026-11-21T07:00:00Z"
  })
  void brokenEntriesAreLeftOut(
      String what,
      String name,
      String reason,
      Integer rejections,
      String since,
      String last,
      String until) {
    SparkNodeProfileStatus status =
        new SparkNodeProfileStatus(
            1L,
            null,
            null,
            null,
            null,
            null,
            null,
            List.of(new WithheldNode(name, reason, rejections, since, last, until)),
            null,
            null,
            null);
    assertThat(WithheldStatus.read(status)).isEmpty();
  }
}
