package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.render.proof.Diagnosis;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AnnouncementTest {

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({
    ", SUBMITTED, Submitted",
    "SUBMITTED, RUNNING, Running",
    "RUNNING, COMPLETED, Completed",
    "RUNNING, FAILED, Failed",
    "RUNNING, PENDING_RERUN, Rerun",
    "SUSPENDING, SUSPENDED, Suspended",
    "SUSPENDED, SUBMITTED, Resumed Submitted",
    "SUBMITTED, SUBMISSION_FAILED, SubmissionFailed",
    "RUNNING, INVALIDATING, Invalidated",
    ", PENDING, ProfileNotFound",
    "PENDING, RESUMING, ''",
    "PENDING, SUBMITTED, Submitted",
    "RUNNING, RUNNING, ''",
  })
  void transitionsAreTold(State from, State to, String reasons) {
    SparkApplicationStatus before = from == null ? null : status(from, "Old", null);
    String reason = to == State.PENDING ? "ProfileNotFound" : "New";
    assertThat(Announcement.of(before, status(to, reason, null)))
        .extracting(Announcement::reason)
        .containsExactly(reasons.isEmpty() ? new String[0] : reasons.split(" "));
  }

  @ParameterizedTest
  @EnumSource
  void everyTransitionCanBeTold(State to) {
    for (State from : State.values()) {
      assertThat(Announcement.of(status(from, "Old", null), status(to, "New", null)))
          .allSatisfy(announcement -> assertThat(announcement.reason()).isNotBlank());
    }
  }

  @Test
  void newTroubleInTheSameStateIsTold() {
    SparkApplicationStatus starting = status(State.SUBMITTED, "DriverStarting", null);
    SparkApplicationStatus stuck = status(State.SUBMITTED, "ImagePullBackOff", "no such image");
    assertThat(Announcement.of(starting, stuck))
        .containsExactly(new Announcement(true, "ImagePullBackOff", "why"));
    assertThat(Announcement.of(stuck, stuck)).isEmpty();
  }

  @Test
  void eachWarningIsToldOnce() {
    SparkApplicationStatus before = status(State.RUNNING, "Running", null);
    SparkApplicationStatus after =
        new StatusDraft(before, 1L, Instant.EPOCH)
            .warnings(Stream.of("spec.x: has no effect"))
            .build();
    assertThat(Announcement.of(before, after))
        .containsExactly(new Announcement(true, "Warning", "spec.x: has no effect"));
    assertThat(Announcement.of(after, after)).isEmpty();
  }

  @Test
  void theFirstExecutorThatFailsForAReasonIsTold() {
    SparkApplicationStatus before = running("Unknown");
    SparkApplicationStatus after =
        running(
            "Unknown",
            executor("1", "Rejected", "TopologyAffinityError"),
            executor("2", "Rejected", "TopologyAffinityError"),
            executor("3", "Failed", "OOMKilled"),
            executor("4", "Failed", "ExitCode52"),
            executor("5", "Running", "NotRegistered"));
    assertThat(Announcement.of(before, after))
        .extracting(Announcement::reason, Announcement::note)
        .containsExactly(
            tuple(
                "ExecutorRejected",
                "executor 1 on numa-0: TopologyAffinityError: why; further ones are in status.executors"),
            tuple(
                "ExecutorOutOfMemory",
                "executor 3 on numa-0: OOMKilled: why; further ones are in status.executors"),
            tuple(
                "ExecutorFailed",
                "executor 4 on numa-0: ExitCode52: why; further ones are in status.executors"));
    assertThat(
            Announcement.of(
                after, running("Unknown", executor("6", "Rejected", "TopologyAffinityError"))))
        .isEmpty();
  }

  @Test
  void thatExecutorsAreNotPinnedIsToldOnceWithTheFirstCause() {
    SparkApplicationStatus notPinned =
        running("False", executor("1", "Running", "Pinned"), shared("2"), shared("3"));
    assertThat(Announcement.of(running("True"), notPinned))
        .containsExactly(
            new Announcement(true, "NotPinned", "executor 2 on numa-0: SharedCpus: why"));
    assertThat(Announcement.of(notPinned, notPinned)).isEmpty();
    assertThat(Announcement.of(notPinned, running("True"))).isEmpty();
  }

  private static SparkApplicationStatus running(String pinned, ExecutorInfo... executors) {
    SparkApplicationStatus running = status(State.RUNNING, "Running", null);
    return new StatusDraft(running, 1L, Instant.EPOCH)
        .executors(new Executors(ExecutorObservation.nothing(2), List.of(executors)))
        .conditions(
            new Conditions(null, 1L, Instant.EPOCH)
                .add("Ready", Conditions.TRUE, new Diagnosis("Running", "why"))
                .add("Pinned", pinned, new Diagnosis("Any", "why")))
        .build();
  }

  private static ExecutorInfo executor(String id, String phase, String reason) {
    return executor(id, phase, "Unknown", reason);
  }

  private static ExecutorInfo shared(String id) {
    return executor(id, "Running", "False", "SharedCpus");
  }

  private static ExecutorInfo executor(String id, String phase, String pinned, String reason) {
    return ExecutorInfo.of(id, "exec-" + id, "numa-0", phase)
        .verdict(Pinned.valueOf(pinned), reason, "why")
        .build();
  }

  private static SparkApplicationStatus status(State state, String reason, String error) {
    return new StatusDraft(SparkApplicationStatus.empty(), 1L, Instant.EPOCH)
        .state(state, error)
        .conditions(
            new Conditions(null, 1L, Instant.EPOCH)
                .add("Ready", Conditions.FALSE, new Diagnosis(reason, "why")))
        .build();
  }
}
