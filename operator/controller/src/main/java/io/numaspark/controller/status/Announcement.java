package io.numaspark.controller.status;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a person should see in {@code kubectl describe} when an application's status changes.
 *
 * @param isWarning whether somebody may have to do something
 * @param reason CamelCase
 * @param note the explanation
 */
public record Announcement(boolean isWarning, String reason, String note) {

  /**
   * The announcements of a change.
   *
   * @param before null for an application that nobody looked at yet
   */
  public static List<Announcement> of(SparkApplicationStatus before, SparkApplicationStatus after) {
    SparkApplicationStatus old = Objects.requireNonNullElse(before, SparkApplicationStatus.empty());
    List<Announcement> announcements = new ArrayList<>();
    if (stateOf(old) == State.SUSPENDED && stateOf(after) != State.SUSPENDED) {
      announcements.add(normal("Resumed", "spec.suspend is false: it is run from the start"));
    }
    if (stateOf(old) != stateOf(after)) {
      ofState(after).ifPresent(announcements::add);
    } else if (isNewTrouble(old, after)) {
      announcements.add(warning(ready(after).getReason(), ready(after).getMessage()));
    }
    List<String> known = Objects.requireNonNullElse(old.warnings(), List.of());
    Objects.requireNonNullElse(after.warnings(), List.<String>of()).stream()
        .filter(text -> !known.contains(text))
        .map(text -> warning("Warning", text))
        .forEach(announcements::add);
    return announcements;
  }

  private static Optional<Announcement> ofState(SparkApplicationStatus status) {
    String why = ready(status) == null ? "" : ready(status).getMessage();
    return switch (stateOf(status)) {
      case PENDING, RESUMING -> Optional.of(warning(ready(status).getReason(), why));
      case SUBMITTED ->
          Optional.of(
              normal(
                  "Submitted",
                  "attempt " + status.executionAttempts() + ": driver " + driver(status)));
      case RUNNING -> Optional.of(normal("Running", "driver " + driver(status) + " runs"));
      case UNKNOWN -> Optional.of(warning("NodeUnreachable", why));
      case COMPLETED -> Optional.of(normal("Completed", why));
      case FAILED -> Optional.of(warning("Failed", why));
      case SUBMISSION_FAILED -> Optional.of(warning("SubmissionFailed", why));
      case PENDING_RERUN ->
          Optional.of(
              warning(
                  "Rerun",
                  "attempt %d has ended (%s); the next one starts at %s"
                      .formatted(status.executionAttempts(), why, status.nextAttemptTime())));
      case INVALIDATING -> Optional.of(normal("Invalidated", why));
      case SUSPENDED -> Optional.of(normal("Suspended", why));
      case SUSPENDING -> Optional.empty();
    };
  }

  /** The state is the same, but something is wrong now that was not, or something else. */
  private static boolean isNewTrouble(SparkApplicationStatus old, SparkApplicationStatus after) {
    return stateOf(after) != null
        && after.applicationState().errorMessage() != null
        && ready(after) != null
        && (ready(old) == null || !ready(after).getReason().equals(ready(old).getReason()));
  }

  private static Announcement normal(String reason, String note) {
    return new Announcement(false, reason, note);
  }

  private static Announcement warning(String reason, String note) {
    return new Announcement(true, reason, note);
  }

  private static String driver(SparkApplicationStatus status) {
    return status.driverInfo() == null ? "" : status.driverInfo().podName();
  }

  private static Condition ready(SparkApplicationStatus status) {
    return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .findFirst()
        .orElse(null);
  }
}
