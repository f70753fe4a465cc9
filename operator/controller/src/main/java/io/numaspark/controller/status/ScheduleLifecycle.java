package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationSpec;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationSpec.ConcurrencyPolicy;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationStatus;
import io.numaspark.controller.status.ScheduleDecision.Start;
import io.numaspark.controller.status.ScheduledRun.Outcome;
import io.numaspark.controller.status.calendar.Calendar;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what a schedule does now, from its spec, its status, its runs and the time.
 *
 * <pre>
 *   (none) --schedule valid--> Scheduled --suspend--> Suspended --no longer--> Scheduled
 *      \--------invalid------> FailedValidation --edited--> Scheduled
 * </pre>
 *
 * <p>A time is due when status.nextRun has come. Of several that were missed the latest alone is
 * run. After a suspension or an edit that moves the times, nothing is made up for: the next time is
 * the first after now.
 *
 * <p>Limit: a time is not run twice because its run has a name of its own and status.lastRun
 * remembers it; a run that was deleted by hand before the status was written is run again.
 */
public final class ScheduleLifecycle {
  /** SparkApplications may have 63 characters, of which a run's number takes up to 11. */
  private static final int LONGEST_NAME = 52;

  /** What counts for successfulRunHistoryLimit. */
  static final Set<Outcome> SUCCEEDED = Set.of(Outcome.SUCCEEDED);

  /** What counts for failedRunHistoryLimit. */
  static final Set<Outcome> FAILED = Set.of(Outcome.FAILED, Outcome.NOT_SUBMITTED);

  private final ScheduledSparkApplication schedule;
  private final ScheduledSparkApplicationSpec spec;
  private final Instant now;

  public ScheduleLifecycle(ScheduledSparkApplication schedule, Instant now) {
    this.schedule = schedule;
    this.spec = schedule.getSpec();
    this.now = now;
  }

  /**
   * The decision.
   *
   * @param runs the runs that exist and are not being deleted
   */
  public ScheduleDecision decide(List<ScheduledRun> runs) {
    Calendar calendar;
    try {
      calendar = calendar();
    } catch (IllegalArgumentException e) {
      return still(ScheduleDecision.FAILED_VALIDATION, Optional.of(e.getMessage()), runs);
    }
    if (Boolean.TRUE.equals(spec.suspend())) {
      return still(ScheduleDecision.SUSPENDED, Optional.empty(), runs);
    }
    return due(calendar)
        .map(time -> atItsTime(time, calendar, runs))
        .orElseGet(
            () ->
                scheduled(
                    expired(runs), Optional.empty(), Optional.empty(), calendar.next(latestRun())));
  }

  private Calendar calendar() {
    String name = schedule.getMetadata().getName();
    if (name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "metadata.name: "
              + name
              + " has "
              + name.length()
              + " characters; runs append up to 11 and may have 63, so at most "
              + LONGEST_NAME
              + " are allowed; create the schedule under a shorter name");
    }
    return Calendar.parse(spec.schedule(), spec.timeZone(), created());
  }

  private Instant created() {
    return Instant.parse(schedule.getMetadata().getCreationTimestamp());
  }

  /** The latest time that has come and was neither run nor left out. */
  private Optional<Instant> due(Calendar calendar) {
    return planned(calendar)
        .flatMap(planned -> calendar.latest(planned, now))
        .filter(time -> lastRun().map(time::isAfter).orElse(true));
  }

  /**
   * The time that was waited for. One that the calendar no longer has is of an older spec.
   *
   * <p>A schedule that nobody looked at yet waits for the first time after its creation.
   */
  private Optional<Instant> planned(Calendar calendar) {
    ScheduledSparkApplicationStatus status = schedule.getStatus();
    if (status == null || status.scheduleState() == null) {
      return calendar.next(created());
    }
    return Optional.ofNullable(status.nextRun())
        .map(Instant::parse)
        .filter(
            planned -> calendar.next(planned.minusNanos(1)).filter(planned::equals).isPresent());
  }

  /** Now, or the last run if the clock stood later then: no time is run again. */
  private Instant latestRun() {
    return lastRun().filter(last -> last.isAfter(now)).orElse(now);
  }

  private Optional<Instant> lastRun() {
    return Optional.ofNullable(schedule.getStatus())
        .map(ScheduledSparkApplicationStatus::lastRun)
        .map(Instant::parse);
  }

  private ScheduleDecision atItsTime(Instant time, Calendar calendar, List<ScheduledRun> runs) {
    Optional<Instant> next = calendar.next(now);
    Long deadline = spec.startingDeadlineSeconds();
    if (deadline != null
        && Duration.between(time, now).compareTo(Duration.ofSeconds(deadline)) > 0) {
      return scheduled(
          expired(runs),
          Optional.empty(),
          Optional.of(
              "the run of "
                  + time
                  + " was left out: more than spec.startingDeadlineSeconds ("
                  + deadline
                  + ") have passed since"),
          next);
    }
    String name = ScheduledRun.nameOf(schedule.getMetadata().getName(), time);
    List<ScheduledRun> earlier = runs.stream().filter(run -> !run.name().equals(name)).toList();
    // The CRD's default, also where it was written as an empty value.
    ConcurrencyPolicy policy =
        Objects.requireNonNullElse(spec.concurrencyPolicy(), ConcurrencyPolicy.Allow);
    Optional<ScheduledRun> active =
        earlier.stream().filter(run -> run.outcome() == Outcome.ACTIVE).findFirst();
    if (policy == ConcurrencyPolicy.Forbid && active.isPresent()) {
      return scheduled(
          expired(runs),
          Optional.empty(),
          Optional.of(
              "the run of "
                  + time
                  + " was left out: "
                  + active.get().name()
                  + " has not ended, and spec.concurrencyPolicy is Forbid"),
          next);
    }
    List<String> replaced =
        policy == ConcurrencyPolicy.Allow
            ? List.of()
            // One that could still be submitted would run beside the new one.
            : earlier.stream()
                .filter(
                    run ->
                        run.outcome() == Outcome.ACTIVE || run.outcome() == Outcome.NOT_SUBMITTED)
                .map(ScheduledRun::name)
                .toList();
    return scheduled(
        expired(runs), Optional.of(new Start(name, time, replaced)), Optional.empty(), next);
  }

  private ScheduleDecision still(String state, Optional<String> problem, List<ScheduledRun> runs) {
    return new ScheduleDecision(
        state, problem, expired(runs), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static ScheduleDecision scheduled(
      List<String> expired,
      Optional<Start> start,
      Optional<String> leftOut,
      Optional<Instant> next) {
    return new ScheduleDecision(
        ScheduleDecision.SCHEDULED, Optional.empty(), expired, start, leftOut, next);
  }

  /** Ended runs beyond the history limits, the oldest first. */
  private List<String> expired(List<ScheduledRun> runs) {
    List<String> expired = new ArrayList<>();
    expired.addAll(
        beyond(Objects.requireNonNullElse(spec.successfulRunHistoryLimit(), 1), runs, SUCCEEDED));
    expired.addAll(
        beyond(Objects.requireNonNullElse(spec.failedRunHistoryLimit(), 1), runs, FAILED));
    return expired;
  }

  private List<String> beyond(int limit, List<ScheduledRun> runs, Set<Outcome> outcomes) {
    List<String> names =
        runs.stream()
            .filter(run -> outcomes.contains(run.outcome()))
            // Until the status names a run, the run itself is what keeps its time from being run.
            .filter(run -> lastRun().map(last -> !run.time().isAfter(last)).orElse(false))
            .sorted(ScheduledRun.NEWEST_FIRST)
            .skip(limit)
            .map(ScheduledRun::name)
            .toList();
    List<String> oldestFirst = new ArrayList<>(names);
    Collections.reverse(oldestFirst);
    return oldestFirst;
  }
}
