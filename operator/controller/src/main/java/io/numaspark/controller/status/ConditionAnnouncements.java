package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkConnectStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.UnusableNode;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
import io.numaspark.api.v1alpha1.StatusReason;
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
 * What a person should see in {@code kubectl describe} when the conditions of a profile, a
 * schedule, a server or a trial change.
 *
 * <p>Limit: numbers that move tell nothing, or every node that joins would be an event.
 */
public final class ConditionAnnouncements {
  private static final Set<TrialReason> TRIAL_TROUBLE =
      Set.of(
          TrialReason.INVALID_TRIAL,
          TrialReason.TRIAL_PROFILE_NOT_FOUND,
          TrialReason.TRIALS_NOT_ALLOWED,
          TrialReason.TRIAL_SPEC_CHANGED,
          TrialReason.RUN_REFUSED,
          TrialReason.NODES_STAYED_BUSY);
  private static final Set<ScheduleReason> GOOD =
      Set.of(ScheduleReason.SCHEDULED, ScheduleReason.RUN_STARTED, ScheduleReason.SUSPENDED);

  private ConditionAnnouncements() {}

  /**
   * The announcements of a profile's change.
   *
   * @param before null for one that nobody looked at yet
   */
  public static List<Announcement> ofProfile(
      SparkNodeProfileStatus before, SparkNodeProfileStatus after) {
    List<Condition> old = before == null ? null : before.conditions();
    List<Announcement> announcements = new ArrayList<>();
    for (Condition condition : after.conditions()) {
      Optional<Condition> earlier = Conditions.named(condition.getType(), old);
      if (isNews(earlier, condition) && concernsPeople(earlier, condition)) {
        announcements.add(announcement(condition));
      }
    }
    announcements.addAll(unusable(before, after));
    return announcements.stream().distinct().toList();
  }

  /** Another status or reason; the message may count nodes. */
  private static boolean isNews(Optional<Condition> before, Condition after) {
    return before
        .filter(
            old ->
                after.getStatus().equals(old.getStatus())
                    && after.getReason().equals(old.getReason()))
        .isEmpty();
  }

  private static boolean concernsPeople(Optional<Condition> before, Condition after) {
    if (Progress.isOne(after.getType())) {
      return false; // Ready says the same.
    }
    boolean isTrue = Conditions.TRUE.equals(after.getStatus());
    return switch (after.getType()) {
      // The rejection itself is an event: what is left to tell is that the slots are back.
      case ProfileStatusAssembler.SLOTS_WITHHELD -> !isTrue && before.isPresent();
      case KnobReport.AGENTS_REPORTING, SystemdStates.SYSTEMD_AGREES ->
          !isTrue || before.isPresent();
      case KnobReport.KNOBS_APPLIED -> !Conditions.UNKNOWN.equals(after.getStatus());
      default -> true;
    };
  }

  private static Announcement announcement(Condition condition) {
    // Withheld slots are the one condition that is good when it is False.
    boolean good =
        Conditions.TRUE.equals(condition.getStatus())
            || condition.getType().equals(ProfileStatusAssembler.SLOTS_WITHHELD);
    return Announcement.passedOn(!good, condition.getReason(), condition.getMessage());
  }

  /** One for each reason for which no node was unusable before. */
  private static List<Announcement> unusable(
      SparkNodeProfileStatus before, SparkNodeProfileStatus after) {
    Set<String> known =
        before == null
            ? Set.of()
            : nodes(before).map(UnusableNode::reason).collect(Collectors.toSet());
    Map<String, UnusableNode> firsts = new LinkedHashMap<>();
    nodes(after)
        .filter(node -> !known.contains(node.reason()))
        // Said already, if no node is left for that reason.
        .filter(node -> !node.reason().equals(readyReason(after)))
        .forEach(node -> firsts.putIfAbsent(node.reason(), node));
    return firsts.values().stream()
        .map(
            node ->
                Announcement.passedOn(
                    true, node.reason(), "node " + node.name() + ": " + node.message()))
        .toList();
  }

  private static String readyReason(SparkNodeProfileStatus status) {
    return Conditions.named("Ready", status.conditions()).map(Condition::getReason).orElse("");
  }

  private static Stream<UnusableNode> nodes(SparkNodeProfileStatus status) {
    return Objects.requireNonNullElse(status.unusableNodes(), List.<UnusableNode>of()).stream();
  }

  /**
   * The announcements of a schedule's change: each run, and why there is none.
   *
   * @param before null for one that nobody looked at yet
   */
  public static List<Announcement> ofSchedule(
      ScheduledSparkApplicationStatus before, ScheduledSparkApplicationStatus after) {
    Condition ready = Conditions.named("Ready", after.conditions()).orElseThrow();
    Optional<Condition> earlier =
        Conditions.named("Ready", before == null ? null : before.conditions());
    ScheduleReason reason =
        StatusReason.parse(ScheduleReason.class, ready.getReason()).orElseThrow();
    boolean told =
        !isNews(earlier, ready) && Objects.equals(subject(reason, before), subject(reason, after));
    boolean isFirstLook = earlier.isEmpty() && reason == ScheduleReason.SCHEDULED;
    if (told || isFirstLook) {
      return List.of();
    }
    return List.of(
        Announcement.passedOn(!GOOD.contains(reason), ready.getReason(), ready.getMessage()));
  }

  /** What a condition of this reason is about; about another one it is announced again. */
  private static Object subject(ScheduleReason reason, ScheduledSparkApplicationStatus status) {
    return switch (reason) {
      case RUN_STARTED, CLOCK_SKEW -> status.lastRun();
      case RUN_LEFT_OUT, RUN_REFUSED -> status.nextRun(); // It moves on with each time that comes.
      case INVALID_SCHEDULE -> status.observedGeneration();
      case SCHEDULED, SUSPENDED -> null;
    };
  }

  /**
   * The announcements of a server's change. While it is not up, the application has events of its
   * own.
   *
   * @param before null for one that nobody looked at yet
   */
  public static List<Announcement> ofConnect(SparkConnectStatus before, SparkConnectStatus after) {
    List<Announcement> announcements = new ArrayList<>();
    if (restarts(after) > restarts(before)) {
      announcements.add(
          Announcement.warning(
              EventReason.SERVER_RESTARTED,
              "another server has taken the place of the former one (restart %d): its sessions are lost, and clients must open a new session"
                  .formatted(restarts(after))));
    }
    Condition ready = Conditions.named("Ready", after.conditions()).orElseThrow();
    Optional<Condition> earlier =
        Conditions.named("Ready", before == null ? null : before.conditions());
    boolean isTold =
        earlier
            .filter(old -> ready.getReason().equals(old.getReason()))
            .filter(
                old ->
                    !ready.getReason().equals(ConnectReason.SERVER_REFUSED.displayName())
                        || ready.getMessage().equals(old.getMessage()))
            .isPresent();
    StatusReason.parse(ConnectReason.class, ready.getReason())
        .filter(reason -> !isTold && reason != ConnectReason.SERVER_STARTING)
        .ifPresent(
            reason ->
                announcements.add(
                    Announcement.passedOn(
                        reason != ConnectReason.SERVER_READY,
                        ready.getReason(),
                        ready.getMessage())));
    return announcements;
  }

  private static int restarts(SparkConnectStatus status) {
    return status == null || status.server() == null || status.server().restarts() == null
        ? 0
        : status.server().restarts();
  }

  /**
   * The announcements of a trial's change: what it waits for, each run, and its end.
   *
   * @param before null for one that nobody looked at yet
   */
  public static List<Announcement> ofTrial(SparkTrialStatus before, SparkTrialStatus after) {
    Condition ready = Conditions.named("Ready", after.conditions()).orElse(null);
    Optional<Condition> earlier =
        Conditions.named("Ready", before == null ? null : before.conditions());
    if (ready == null) {
      return List.of();
    }
    List<Announcement> announcements = new ArrayList<>();
    TrialReason reason = StatusReason.parse(TrialReason.class, ready.getReason()).orElseThrow();
    boolean isNews =
        earlier.filter(old -> ready.getReason().equals(old.getReason())).isEmpty()
            || reason == TrialReason.INVALID_TRIAL
                && !earlier.get().getMessage().equals(ready.getMessage());
    if (isNews) {
      announcements.add(
          Announcement.passedOn(
              TRIAL_TROUBLE.contains(reason),
              ready.getReason(),
              reason == TrialReason.TRIAL_COMPLETED ? after.summary() : ready.getMessage()));
    }
    int told = before == null || before.runs() == null ? 0 : before.runs().size();
    Objects.requireNonNullElse(after.runs(), List.<RunInfo>of()).stream()
        .skip(told)
        .filter(run -> run.remark() != null)
        .map(
            run ->
                Announcement.warning(
                    EventReason.RUN_DOES_NOT_COUNT,
                    "%s, round %d, arm %s: %s"
                        .formatted(run.phase(), run.round(), run.arm(), run.remark())))
        .forEach(announcements::add);
    return announcements;
  }
}
