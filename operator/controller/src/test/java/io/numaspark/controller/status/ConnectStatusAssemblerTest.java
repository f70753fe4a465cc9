package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkConnectStatus;
import io.numaspark.api.v1alpha1.SparkConnectStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectStatusAssemblerTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private final SparkConnect connect =
      Serialization.unmarshal(
          """
          apiVersion: numaspark.io/v1alpha1
          kind: SparkConnect
          metadata: {name: notebooks, namespace: team, generation: 1}
          """,
          SparkConnect.class);

  @ParameterizedTest(name = "{0}, pod ready {1}, before {2}: {3}")
  @CsvSource({
    "SUBMITTED,         False, ,         Provisioning",
    "RUNNING,           False, ,         Provisioning",
    "RUNNING,           True,  ,         Ready",
    "RUNNING,           False, Ready,    NotReady",
    "RUNNING,           False, NotReady, NotReady",
    "PENDING_RERUN,     False, Ready,    NotReady",
    "INVALIDATING,      True,  Ready,    NotReady",
    "SUSPENDING,        False, Ready,    NotReady",
    "SUSPENDED,         False, Ready,    Suspended",
    "UNKNOWN,           True,  Ready,    NotReady",
    "SUBMISSION_FAILED, False, Ready,    Failed",
    "FAILED,            False, Ready,    Failed",
  })
  void theStateFollowsTheApplicationAndThePod(
      String application, String ready, State before, State expected) {
    if (before != null) {
      at(NOW, "RUNNING", "True", 1);
    }
    if (before == State.NotReady) {
      at(NOW, "RUNNING", "False", 1);
    }
    assertThat(at(NOW, application, ready, 1).state()).isEqualTo(expected);
  }

  @Test
  void anotherServerIsARestart() {
    assertThat(at(NOW, "RUNNING", "True", 1).server().restarts()).isZero();
    assertThat(at(NOW, "PENDING_RERUN", "False", 1).server().restarts()).isZero();
    SparkConnectStatus next = at(NOW, "RUNNING", "False", 2);
    assertThat(next.server().restarts()).isEqualTo(1);
    assertThat(next.state()).as("this one has accepted nothing yet").isEqualTo(State.Provisioning);
    assertThat(at(NOW, "RUNNING", "True", 2).server().restarts()).isEqualTo(1);
  }

  @Test
  void theApplicationsOldStatusSaysNothingOfItsNewSpec() {
    at(NOW, "RUNNING", "True", 1);
    SparkApplication edited = application("RUNNING", 1);
    edited.getMetadata().setGeneration(3L);
    SparkConnectStatus status =
        new ConnectStatusAssembler(connect, NOW).following(edited, Optional.of(pod("True", 1)));
    assertThat(status.state()).isEqualTo(State.NotReady);
    assertThat(Conditions.named("Ready", status.conditions()).orElseThrow().getReason())
        .isEqualTo("ServerStarting");
  }

  @Test
  void aRefusalLeavesWhatRunsInTheStatus() {
    SparkConnectStatus ready = at(NOW, "RUNNING", "True", 1);
    SparkConnectStatus refused = new ConnectStatusAssembler(connect, NOW).refused("no");
    assertThat(refused.server()).isEqualTo(ready.server());
    assertThat(refused.state()).isEqualTo(State.Failed);
  }

  @Test
  void numbersOfExecutorsAloneAreWrittenAtABoundedPace() {
    SparkConnectStatus first = at(NOW, "RUNNING", "True", 1);
    Instant later = NOW.plusSeconds(2);
    SparkConnectStatus more =
        new ConnectStatusAssembler(connect, later)
            .following(application("RUNNING", 1, 5), Optional.of(pod("True", 1)));
    assertThat(more.executors()).containsEntry("running", 5);
    assertThat(more.pinnedExecutors()).as("of those that run").isEqualTo(5);
    assertThat(new ConnectStatusAssembler(connect, later).delay(more))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(new ConnectStatusAssembler(connect, NOW.plusSeconds(6)).delay(more)).isZero();
    assertThat(new ConnectStatusAssembler(connect, NOW.minusSeconds(600)).delay(more))
        .as("the clock was set")
        .isZero();
    SparkConnectStatus down =
        new ConnectStatusAssembler(connect, later)
            .following(application("RUNNING", 1, 5), Optional.of(pod("False", 1)));
    assertThat(new ConnectStatusAssembler(connect, later).delay(down)).isZero();
    assertThat(at(later, "RUNNING", "True", 1)).as("nothing has changed").isSameAs(first);
  }

  @Test
  void whatPeopleAreTold() {
    SparkConnectStatus none = null;
    SparkConnectStatus starting = at(NOW, "RUNNING", "False", 1);
    assertThat(told(none, starting)).isEmpty();
    SparkConnectStatus ready = at(NOW, "RUNNING", "True", 1);
    assertThat(told(starting, ready)).containsExactly("Normal ServerReady");
    assertThat(told(ready, ready)).isEmpty();
    SparkConnectStatus silent = at(NOW, "RUNNING", "False", 1);
    assertThat(told(ready, silent)).containsExactly("Warning ServerNotReady");
    SparkConnectStatus next = at(NOW, "RUNNING", "True", 2);
    assertThat(told(silent, next)).containsExactly("Warning ServerRestarted", "Normal ServerReady");
    SparkConnectStatus refused = new ConnectStatusAssembler(connect, NOW).refused("one");
    connect.setStatus(refused);
    assertThat(told(next, refused)).containsExactly("Warning ServerRefused");
    assertThat(told(refused, new ConnectStatusAssembler(connect, NOW).refused("two")))
        .containsExactly("Warning ServerRefused");
  }

  private static List<String> told(SparkConnectStatus before, SparkConnectStatus after) {
    return ConditionAnnouncements.ofConnect(before, after).stream()
        .map(told -> (told.isWarning() ? "Warning " : "Normal ") + told.reason())
        .toList();
  }

  /** Writes the status, too. */
  private SparkConnectStatus at(Instant time, String state, String ready, int attempt) {
    SparkConnectStatus status =
        new ConnectStatusAssembler(connect, time)
            .following(application(state, attempt), Optional.of(pod(ready, attempt)));
    connect.setStatus(status);
    return status;
  }

  private static SparkApplication application(String state, int attempt) {
    return application(state, attempt, 2);
  }

  private static SparkApplication application(String state, int attempt, int executors) {
    boolean stuck = state.equals("FAILED") || state.equals("SUBMISSION_FAILED");
    return Serialization.unmarshal(
        """
        metadata: {name: notebooks-server, generation: 2}
        status:
          observedGeneration: 2
          sparkApplicationId: spark-%d
          applicationState: {state: %s}
          driverInfo: {podName: notebooks-server-driver, podUid: u%d}
          executorCounts: {running: %d, pinned: 99}
          runningExecutors:
            reasons: [{pinned: "True", reason: Pinned, executors: %d}, {pinned: "Unknown", reason: a, executors: 1}]
          conditions:
          - {type: Ready, status: "True", reason: Completed, message: m}
          - {type: %s, status: "True", reason: Completed, message: m}
        """
            .formatted(attempt, state, attempt, executors, executors, stuck ? "Stalled" : "Pinned"),
        SparkApplication.class);
  }

  private static Pod pod(String ready, int attempt) {
    return Serialization.unmarshal(
        """
        metadata: {name: notebooks-server-driver, uid: u%d}
        status: {podIP: 10.1.2.3, conditions: [{type: Ready, status: "%s"}]}
        """
            .formatted(attempt, ready),
        Pod.class);
  }
}
