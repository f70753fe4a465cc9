package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import java.time.Instant;
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
        new StatusDraft(before, 1L).warnings(Stream.of("spec.x: has no effect")).build();
    assertThat(Announcement.of(before, after))
        .containsExactly(new Announcement(true, "Warning", "spec.x: has no effect"));
    assertThat(Announcement.of(after, after)).isEmpty();
  }

  private static SparkApplicationStatus status(State state, String reason, String error) {
    return new StatusDraft(SparkApplicationStatus.empty(), 1L)
        .state(state, error)
        .conditions(
            new Conditions(null, 1L, Instant.EPOCH).add("Ready", Conditions.FALSE, reason, "why"))
        .build();
  }
}
