package io.numaspark.controller.status;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;
import static io.numaspark.api.v1alpha1.SparkApplicationStatus.waits;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.ExecutorInfo.Pinned;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.slots.SharedCpus;
import io.numaspark.controller.slots.Withheld;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
      announcements.add(
          normal(EventReason.RESUMED, "spec.suspend is false: it is run from the start"));
    }
    if (!isSameStage(old, after)) {
      ofState(after).ifPresent(announcements::add);
    } else if (isNewTrouble(old, after)) {
      announcements.add(passedOn(true, ready(after).getReason(), ready(after).getMessage()));
    }
    announcements.addAll(failures(old, after));
    notPinned(old, after).ifPresent(announcements::add);
    List<String> known = Objects.requireNonNullElse(old.warnings(), List.of());
    Objects.requireNonNullElse(after.warnings(), List.<String>of()).stream()
        .filter(text -> !known.contains(text))
        .map(text -> warning(EventReason.WARNING, text))
        .forEach(announcements::add);
    return announcements;
  }

  /** Whoever waits has one stage, whatever the state was called. */
  private static boolean isSameStage(SparkApplicationStatus old, SparkApplicationStatus after) {
    return waits(after) ? waits(old) : !waits(old) && stateOf(old) == stateOf(after);
  }

  private static Optional<Announcement> ofState(SparkApplicationStatus status) {
    String why = ready(status) == null ? "" : ready(status).getMessage();
    if (waits(status)) {
      return Optional.of(passedOn(true, ready(status).getReason(), why));
    }
    return switch (stateOf(status)) {
      case SUBMITTED ->
          Optional.of(
              normal(
                  EventReason.SUBMITTED,
                  "attempt " + status.executionAttempts() + ": driver " + driver(status)));
      case RUNNING ->
          Optional.of(normal(EventReason.RUNNING, "driver " + driver(status) + " runs"));
      case UNKNOWN -> Optional.of(warning(EventReason.NODE_UNREACHABLE, why));
      case COMPLETED -> Optional.of(normal(EventReason.COMPLETED, why));
      case FAILED -> Optional.of(warning(EventReason.FAILED, why));
      case SUBMISSION_FAILED -> Optional.of(warning(EventReason.SUBMISSION_FAILED, why));
      case PENDING_RERUN ->
          Optional.of(
              warning(
                  EventReason.RERUN,
                  "attempt %d has ended (%s); the next one starts at %s"
                      .formatted(status.executionAttempts(), why, status.nextAttemptTime())));
      case INVALIDATING -> Optional.of(normal(EventReason.INVALIDATED, why));
      case SUSPENDED -> Optional.of(normal(EventReason.SUSPENDED, why));
      case SUSPENDING, PENDING, RESUMING -> Optional.empty();
    };
  }

  /** The state is the same, but something is wrong now that was not, or something else. */
  private static boolean isNewTrouble(SparkApplicationStatus old, SparkApplicationStatus after) {
    return stateOf(after) != null
        && after.applicationState().errorMessage() != null
        && ready(after) != null
        && (ready(old) == null || !ready(after).getReason().equals(ready(old).getReason()));
  }

  /** One for each reason for which no executor of the attempt had failed: hundreds may follow. */
  private static List<Announcement> failures(
      SparkApplicationStatus old, SparkApplicationStatus after) {
    Set<String> known =
        failed(old).map(info -> String.valueOf(info.reason())).collect(Collectors.toSet());
    Map<String, ExecutorInfo> firsts = new LinkedHashMap<>();
    failed(after)
        .filter(info -> !known.contains(String.valueOf(info.reason())))
        .forEach(info -> firsts.putIfAbsent(String.valueOf(info.reason()), info));
    return firsts.values().stream().map(Announcement::ofFailure).toList();
  }

  private static Announcement ofFailure(ExecutorInfo executor) {
    EventReason reason =
        ExecutorFailure.REJECTED.equals(executor.phase())
            ? EventReason.EXECUTOR_REJECTED
            : ExecutorFailure.OUT_OF_MEMORY.equals(executor.reason())
                ? EventReason.EXECUTOR_OUT_OF_MEMORY
                : EventReason.EXECUTOR_FAILED;
    return warning(
        reason,
        "executor %s on %s: %s: %s; further ones are in status.executors"
            .formatted(executor.id(), executor.node(), executor.reason(), executor.message()));
  }

  private static Stream<ExecutorInfo> failed(SparkApplicationStatus status) {
    return executors(status).filter(info -> ExecutorFailure.isFailed(info.phase()));
  }

  private static Stream<ExecutorInfo> executors(SparkApplicationStatus status) {
    return Objects.requireNonNullElse(status.executors(), List.<ExecutorInfo>of()).stream();
  }

  private static Optional<Announcement> notPinned(
      SparkApplicationStatus old, SparkApplicationStatus after) {
    return pinnedIsFalse(old) || !pinnedIsFalse(after)
        ? Optional.empty()
        : executors(after)
            .filter(info -> info.pinned() == Pinned.False)
            .findFirst()
            .map(
                info ->
                    warning(
                        ApplicationReason.NOT_PINNED,
                        "executor %s on %s: %s: %s"
                            .formatted(info.id(), info.node(), info.reason(), info.message())));
  }

  private static boolean pinnedIsFalse(SparkApplicationStatus status) {
    return Conditions.named("Pinned", status.conditions())
        .filter(condition -> Conditions.FALSE.equals(condition.getStatus()))
        .isPresent();
  }

  private static Announcement normal(StatusReason reason, String note) {
    return passedOn(false, reason.displayName(), note);
  }

  /** The slots that an application was promised are for others now. */
  public static Announcement promiseEnded() {
    return warning(
        EventReason.PROMISE_ENDED,
        "some executors did not start within 15 minutes; other applications can now use their slots;"
            + " check why the driver does not run or does not request executors (kubectl describe pod,"
            + " kubectl logs)");
  }

  /** A kubelet has rejected an executor, and the free slots of its node are withheld since. */
  public static Announcement ofRejection(Rejection rejection, Withheld withheld) {
    return warning(
        EventReason.EXECUTOR_REJECTED,
        "the kubelet of %s rejected an executor of %s/%s with %s (%s); the node's free slots of profile %s are withheld until %s"
            .formatted(
                rejection.node(),
                rejection.namespace(),
                rejection.application(),
                rejection.reason(),
                rejection.message(),
                rejection.profile(),
                withheld.until()));
  }

  /** Pods without slots have been promised more CPUs than they share. */
  public static Announcement ofSharedCpus(String node, SharedCpus shared) {
    return warning(
        EventReason.SHARED_CPUS_TOO_FEW,
        "pods without slots request %d CPUs on %s, and the container runtime keeps them on the %d that no slot has; raise"
                .formatted(shared.requested(), node, shared.cpus())
            + " spec.pinning.sharedCores of the profile, or move some of these pods to other nodes");
  }

  /** Somebody may have to do something. */
  public static Announcement warning(StatusReason reason, String note) {
    return passedOn(true, reason.displayName(), note);
  }

  /** With the reason of a condition. */
  static Announcement passedOn(boolean isWarning, String reason, String note) {
    return new Announcement(isWarning, reason, note);
  }

  private static String driver(SparkApplicationStatus status) {
    return status.driverInfo() == null ? "" : status.driverInfo().podName();
  }

  private static Condition ready(SparkApplicationStatus status) {
    return Conditions.named("Ready", status.conditions()).orElse(null);
  }
}
