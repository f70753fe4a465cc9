package io.numaspark.controller.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which statuses are written at once, and which wait for others to come along. */
class FollowPaceTest {
  private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");
  private static final String INTENDED =
      "{applicationState: {state: SUBMITTED}, driverInfo: {podName: pi-driver},"
          + " conditions: [{type: Ready, reason: Submitting}]}";
  private static final String CREATED =
      "{applicationState: {state: SUBMITTED}, driverInfo: {podName: pi-driver, podUid: u1},"
          + " conditions: [{type: Ready, reason: DriverPending}]}";
  private static final String RUNNING =
      "{applicationState: {state: RUNNING}, driverInfo: {podName: pi-driver, podUid: u1},"
          + " conditions: [{type: Ready, reason: DriverRunning}]}";
  private static final String TWO_EXECUTORS =
      "{applicationState: {state: RUNNING}, driverInfo: {podName: pi-driver, podUid: u1},"
          + " executorCounts: {running: 2}, conditions: [{type: Ready, reason: DriverRunning}]}";
  private static final String PINNED =
      "{applicationState: {state: RUNNING}, driverInfo: {podName: pi-driver, podUid: u1},"
          + " conditions: [{type: Ready, reason: DriverRunning}, {type: Pinned, reason: Pinned}]}";

  private final FollowPace pace = new FollowPace();

  @Test
  void afterARestartNothingWaits() {
    assertThat(wait(RUNNING, TWO_EXECUTORS, 0)).isZero();
  }

  @Test
  void executorsComeTogether() {
    pace.wrote("spark-1", START);
    assertThat(wait(RUNNING, TWO_EXECUTORS, 1)).isEqualTo(Duration.ofSeconds(2));
    assertThat(wait(RUNNING, TWO_EXECUTORS, 3)).isZero();
    assertThat(wait(RUNNING, TWO_EXECUTORS, 9)).isZero();
  }

  @Test
  void aDriverThatRunsAtOnceIsWrittenOnce() {
    pace.wrote("spark-1", START);
    assertThat(wait(INTENDED, CREATED, 0)).isEqualTo(FollowPace.START);
    assertThat(wait(INTENDED, CREATED, 1)).isZero();
    assertThat(wait(INTENDED, RUNNING, 0)).isZero();
  }

  @Test
  void newsOfTheApplicationDoNotWait() {
    pace.wrote("spark-1", START);
    assertThat(wait(CREATED, RUNNING, 0)).isZero();
    assertThat(wait(RUNNING, PINNED, 0)).isZero();
  }

  @Test
  void anotherAttemptHasItsOwnPace() {
    pace.wrote("spark-0", START);
    assertThat(wait(RUNNING, TWO_EXECUTORS, 0)).isZero();
    pace.wrote("spark-1", START);
    pace.forget("spark-1");
    assertThat(wait(RUNNING, TWO_EXECUTORS, 0)).isZero();
  }

  private Duration wait(String before, String after, int seconds) {
    return pace.wait("spark-1", status(before), status(after), START.plusSeconds(seconds));
  }

  private static SparkApplicationStatus status(String yaml) {
    return Serialization.unmarshal("---\n" + yaml, SparkApplicationStatus.class);
  }
}
