package io.numaspark.controller.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.RestartPolicy;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.lifecycle.ObservedAttempt.DriverPhase;
import io.numaspark.controller.lifecycle.Situation.Desired;
import io.numaspark.controller.lifecycle.Situation.Recorded;
import io.numaspark.controller.lifecycle.Step.Delete;
import io.numaspark.controller.lifecycle.Step.Finish;
import io.numaspark.controller.lifecycle.Step.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every state with everything that can come; the table of docs/lifecycle.md. */
class LifecycleTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
  private static final RestartRules NEVER = rules("type: Never");

  /** Columns: what is desired, then what is seen of the attempt; the steps by their names. */
  @ParameterizedTest(name = "{0}, suspend {1}, changed {2}, driver {3}: {4}")
  @CsvSource({
    "          , false, false, ABSENT,      Start",
    "          , true,  false, ABSENT,      Suspend",
    "PENDING,     false, false, ABSENT,      Start",
    "PENDING,     true,  false, ABSENT,      Suspend",
    "PENDING,     false, true,  ABSENT,      Start",
    "RESUMING,    false, false, ABSENT,      Start",
    "RESUMING,    true,  false, ABSENT,      Suspend",
    "SUBMITTED,   false, false, ABSENT,      Finish",
    "SUBMITTED,   false, false, STARTING,    Follow",
    "SUBMITTED,   false, false, RUNNING,     Follow",
    "SUBMITTED,   false, false, UNREACHABLE, Follow",
    "SUBMITTED,   false, false, SUCCEEDED,   Finish",
    "SUBMITTED,   false, false, FAILED,      Finish",
    "SUBMITTED,   true,  false, STARTING,    Stop",
    "SUBMITTED,   false, true,  STARTING,    Stop",
    "RUNNING,     false, false, ABSENT,      Finish",
    "RUNNING,     false, false, RUNNING,     Follow",
    "RUNNING,     true,  false, RUNNING,     Stop",
    "RUNNING,     true,  false, ABSENT,      Stop",
    "RUNNING,     true,  false, SUCCEEDED,   Finish",
    "RUNNING,     true,  true,  RUNNING,     Stop",
    "RUNNING,     false, true,  RUNNING,     Stop",
    "RUNNING,     false, true,  FAILED,      Finish",
    "UNKNOWN,     false, false, UNREACHABLE, Follow",
    "UNKNOWN,     false, false, RUNNING,     Follow",
    "UNKNOWN,     false, false, ABSENT,      Finish",
    "UNKNOWN,     true,  false, UNREACHABLE, Stop",
    "SUSPENDING,  true,  false, RUNNING,     Stop",
    "SUSPENDING,  false, false, RUNNING,     Stop",
    "SUSPENDING,  true,  false, SUCCEEDED,   Stop",
    "SUSPENDING,  true,  false, ABSENT,      Suspend",
    "SUSPENDED,   true,  false, ABSENT,      Rest",
    "SUSPENDED,   true,  true,  ABSENT,      Rest",
    "SUSPENDED,   true,  false, RUNNING,     Stop",
    "SUSPENDED,   false, false, ABSENT,      Start",
    "INVALIDATING,false, true,  RUNNING,     Stop",
    "INVALIDATING,false, false, RUNNING,     Stop",
    "INVALIDATING,false, true,  ABSENT,      Start",
    "INVALIDATING,true,  true,  ABSENT,      Suspend",
    "SUBMISSION_FAILED, false, false, ABSENT, Start",
    "SUBMISSION_FAILED, true,  false, ABSENT, Suspend",
    "COMPLETED,   false, false, ABSENT,      Rest",
    "COMPLETED,   true,  false, ABSENT,      Rest",
    "COMPLETED,   false, true,  ABSENT,      Start",
    "COMPLETED,   true,  true,  ABSENT,      Suspend",
    "FAILED,      false, false, ABSENT,      Rest",
    "FAILED,      false, true,  ABSENT,      Start",
    "PENDING_RERUN, true,  false, ABSENT,    Suspend",
    "PENDING_RERUN, false, true,  ABSENT,    Start",
    "PENDING_RERUN, false, false, ABSENT,    Settle",
  })
  void steps(State state, boolean suspended, boolean changed, DriverPhase driver, String step) {
    Desired desired = new Desired(suspended, changed, NEVER, Optional.empty());
    assertThat(next(desired, recorded(state), driver).getClass().getSimpleName()).isEqualTo(step);
  }

  /** What an attempt before it was is not looked at, and failures are counted anew. */
  @ParameterizedTest(name = "suspend {0}, changed {1}: {2}")
  @CsvSource({"false, false, Start", "false, true, Start", "true, false, Suspend"})
  void whoeverWaitsIsStartedAsSoonAsItCanBe(boolean suspended, boolean changed, String step) {
    Desired desired = new Desired(suspended, changed, NEVER, Optional.empty());
    for (DriverPhase driver : DriverPhase.values()) {
      Step next = next(desired, waits(State.SUBMITTED), driver);
      assertThat(next.getClass().getSimpleName()).isEqualTo(step);
      if (next instanceof Step.Start start) {
        assertThat(start).isEqualTo(new Step.Start(3, 0, State.SUBMITTED));
      }
    }
  }

  @Test
  void anAttemptThatIsDueKeepsItsFailuresWhileItWaits() {
    assertThat(next(runs(rules("type: Always")), waits(State.PENDING_RERUN), DriverPhase.ABSENT))
        .isEqualTo(new Step.Start(3, 2, State.PENDING_RERUN));
  }

  @ParameterizedTest
  @EnumSource
  void everyStateHasAnAnswerToEverySight(State state) {
    for (DriverPhase driver : DriverPhase.values()) {
      for (boolean flag : new boolean[] {true, false}) {
        Desired desired = new Desired(flag, !flag, NEVER, Optional.of(5L));
        assertThat(next(desired, recorded(state), driver)).isNotNull();
      }
    }
  }

  @Test
  void aDriverThatWasNeverCreatedIsCreated() {
    Recorded intent =
        new Recorded(
            State.SUBMITTED,
            false,
            2,
            1,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(next(runs(NEVER), intent, DriverPhase.ABSENT)).isEqualTo(new Step.Submit());
  }

  @Test
  void executorsAreWaitedForAsWell() {
    ObservedAttempt executorsOnly = new ObservedAttempt(DriverPhase.ABSENT, true, Optional.empty());
    Situation situation =
        new Situation(
            new Desired(true, false, NEVER, Optional.empty()),
            recorded(State.SUSPENDING),
            executorsOnly,
            NOW);
    assertThat(Lifecycle.next(situation)).isEqualTo(new Stop(State.SUSPENDING));
  }

  @ParameterizedTest(name = "{0}, {1} failures before, {2}: {3}")
  @CsvSource({
    "type: Never,                                0, FAILED,    FAILED,",
    "type: Never,                                0, SUCCEEDED, COMPLETED,",
    "type: OnFailure,                            0, FAILED,    FAILED,",
    "'{type: OnFailure, onFailureRetries: 2}',   0, FAILED,    PENDING_RERUN, 5",
    "'{type: OnFailure, onFailureRetries: 2}',   1, FAILED,    PENDING_RERUN, 10",
    "'{type: OnFailure, onFailureRetries: 2}',   2, FAILED,    FAILED,",
    "'{type: OnFailure, onFailureRetries: 2}',   1, SUCCEEDED, COMPLETED,",
    "'{type: Always, onFailureRetryInterval: 7}', 0, SUCCEEDED, PENDING_RERUN, 7",
    "'{type: Always, onFailureRetryInterval: 7}', 3, SUCCEEDED, PENDING_RERUN, 7",
    "'{type: Always, onFailureRetryInterval: 7}', 3, FAILED,    PENDING_RERUN, 28",
  })
  void restarts(String policy, int failures, DriverPhase driver, State next, Long delay) {
    Recorded running =
        new Recorded(
            State.RUNNING,
            false,
            1,
            failures,
            true,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    Finish finish = (Finish) next(runs(rules(policy)), running, driver);
    assertThat(finish.next()).isEqualTo(next);
    assertThat(finish.dueAt()).isEqualTo(Optional.ofNullable(delay).map(NOW::plusSeconds));
    assertThat(finish.failures()).isEqualTo(driver == DriverPhase.SUCCEEDED ? 0 : failures + 1);
  }

  /** The pause counts from the end, which may be long ago; a node's clock may be ahead. */
  @ParameterizedTest
  @CsvSource({"-3600, -3600", "0, 0", "3600, 0"})
  void anEndIsNeverInTheFuture(long endedAfterNow, long expected) {
    ObservedAttempt failed =
        new ObservedAttempt(DriverPhase.FAILED, false, Optional.of(NOW.plusSeconds(endedAfterNow)));
    Situation situation =
        new Situation(runs(rules("type: Always")), recorded(State.RUNNING), failed, NOW);
    Finish finish = (Finish) Lifecycle.next(situation);
    assertThat(finish.at()).isEqualTo(NOW.plusSeconds(expected));
  }

  @ParameterizedTest(name = "{0} s after the end with {1} s to live: {2}")
  @CsvSource({
    "0, 0, Delete",
    "0, -7, Delete",
    "59, 60, WaitUntil",
    "60, 60, Delete",
    "100, 60, Delete",
    "0, 9223372036854775807, WaitUntil",
    "0, -9223372036854775808, Delete"
  })
  void timeToLive(long secondsAgo, long timeToLive, String step) {
    Recorded ended =
        new Recorded(
            State.FAILED,
            false,
            1,
            1,
            true,
            Optional.of(NOW.minusSeconds(secondsAgo)),
            Optional.empty(),
            Optional.empty());
    Desired desired = new Desired(false, false, NEVER, Optional.of(timeToLive));
    assertThat(next(desired, ended, DriverPhase.ABSENT).getClass().getSimpleName()).isEqualTo(step);
  }

  @Test
  void anEndWithoutATimeIsDeletedAfterItsTimeToLiveFromNow() {
    Desired desired = new Desired(false, false, NEVER, Optional.of(0L));
    assertThat(next(desired, recorded(State.COMPLETED), DriverPhase.ABSENT))
        .isEqualTo(new Delete());
  }

  /** An operator before this one may have run where the clock is ahead. */
  @ParameterizedTest(name = "{0}: due in {1} s: {2}")
  @CsvSource({
    "PENDING_RERUN,     -1,  Start",
    "PENDING_RERUN,     10,  WaitUntil",
    "PENDING_RERUN,     70,  WaitUntil",
    "PENDING_RERUN,     71,  Start",
    "SUBMISSION_FAILED, -1,  Submit",
    "SUBMISSION_FAILED, 660, WaitUntil",
    "SUBMISSION_FAILED, 661, Submit",
  })
  void whatIsDueLaterThanItCanBeIsDue(State state, long seconds, String step) {
    Recorded waiting =
        new Recorded(
            state,
            false,
            1,
            2,
            false,
            Optional.empty(),
            Optional.of(NOW.plusSeconds(seconds)),
            Optional.of(State.FAILED));
    RestartRules rules = rules("{type: OnFailure, onFailureRetries: 3}");
    assertThat(next(runs(rules), waiting, DriverPhase.ABSENT).getClass().getSimpleName())
        .isEqualTo(step);
  }

  @ParameterizedTest
  @CsvSource({"1, 5", "2, 10", "100, 500", "200, 600", "2000000000, 600"})
  void refusedSubmissionsAreRepeatedLessAndLessOften(int submissions, long seconds) {
    assertThat(NEVER.submissionDelay(submissions)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void refusedSubmissionsAreRepeatedAsOftenAsAsked() {
    assertThat(NEVER.repeatsSubmission(1_000)).isTrue();
    RestartRules twice = rules("onSubmissionFailureRetries: 2");
    assertThat(twice.repeatsSubmission(2)).isTrue();
    assertThat(twice.repeatsSubmission(3)).isFalse();
  }

  @ParameterizedTest(name = "{0} changes the digest: {1}")
  @CsvSource({
    "'suspend: true',                        false",
    "'timeToLiveSeconds: 3',                 false",
    "'restartPolicy: {type: Always}',        false",
    "'sparkConf: {b: \"2\", a: \"1\"}',      true",
    "'arguments: [x]',                       true",
    "'volumes: [{name: v, emptyDir: {}}]',   true",
  })
  void digest(String edit, boolean changes) {
    String before = SpecDigest.of(Samples.application("pi", "").getSpec());
    String after = SpecDigest.of(Samples.application("pi", edit).getSpec());
    assertThat(!before.equals(after)).isEqualTo(changes);
  }

  @Test
  void theOrderOfKeysAndNullsDoNotChangeTheDigest() {
    String one =
        SpecDigest.of(
            Samples.application(
                    "pi", "sparkConf: {a: '1', b: '2'}\nvolumes: [{name: v, x: {p: 1, q: null}}]")
                .getSpec());
    String other =
        SpecDigest.of(
            Samples.application(
                    "pi", "volumes: [{x: {p: 1}, name: v}]\nsparkConf: {b: '2', a: '1'}")
                .getSpec());
    assertThat(one).isEqualTo(other).hasSize(32);
  }

  private static Step next(Desired desired, Recorded recorded, DriverPhase driver) {
    ObservedAttempt observed = new ObservedAttempt(driver, false, Optional.empty());
    return Lifecycle.next(new Situation(desired, recorded, observed, NOW));
  }

  private static Desired runs(RestartRules rules) {
    return new Desired(false, false, rules, Optional.empty());
  }

  private static Recorded recorded(State state) {
    return new Recorded(
        state, false, 1, 0, true, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Recorded waits(State state) {
    return new Recorded(
        state, true, 2, 2, true, Optional.empty(), Optional.empty(), Optional.of(State.FAILED));
  }

  private static RestartRules rules(String policy) {
    String yaml = policy.replaceAll("[{}]", "").replace(", ", "\n");
    return new RestartRules(Serialization.unmarshal(yaml, RestartPolicy.class));
  }
}
