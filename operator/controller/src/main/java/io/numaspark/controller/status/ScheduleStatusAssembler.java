package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationStatus;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.controller.status.ScheduleDecision.Start;
import io.numaspark.controller.status.ScheduledRun.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes the status of a schedule from what was decided and done.
 *
 * <p>Why the last due time has no run stays visible until a run is started or the spec is edited.
 */
public record ScheduleStatusAssembler(
    ScheduledSparkApplication schedule, ScheduleDecision decision, Instant now) {
  /** Of status.activeRunNames; the others are bounded by the history limits. */
  private static final int MAX_ACTIVE = 50;

  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);
  private static final Set<ScheduleReason> CARRIED =
      Set.of(ScheduleReason.RUN_REFUSED, ScheduleReason.RUN_LEFT_OUT, ScheduleReason.RUN_STARTED);

  /** Nothing was due, or the decision left the due time out. */
  public ScheduledSparkApplicationStatus waiting(List<ScheduledRun> runs) {
    return status(runs, Optional.empty(), condition());
  }

  /** The run of the due time exists, and those that it replaces are deleted. */
  public ScheduledSparkApplicationStatus started(List<ScheduledRun> runs, Start start) {
    List<ScheduledRun> all =
        new ArrayList<>(
            runs.stream().filter(run -> !start.replaces().contains(run.name())).toList());
    if (runs.stream().noneMatch(run -> run.name().equals(start.name()))) {
      all.add(new ScheduledRun(start.name(), start.time(), Outcome.ACTIVE));
    }
    return status(
        all,
        Optional.of(start),
        new Words(
            Conditions.TRUE,
            ScheduleReason.RUN_STARTED,
            "the run of " + start.time() + " was created"));
  }

  /** The API server does not take the run of the due time. */
  public ScheduledSparkApplicationStatus refused(
      List<ScheduledRun> runs, Start start, String message) {
    return status(
        runs,
        Optional.empty(),
        new Words(
            Conditions.FALSE,
            ScheduleReason.RUN_REFUSED,
            "SparkApplication "
                + start.name()
                + " was not created; the next time of the schedule is tried: "
                + message));
  }

  private Words condition() {
    if (decision.problem().isPresent()) {
      return new Words(Conditions.FALSE, ScheduleReason.INVALID_SCHEDULE, decision.problem().get());
    }
    if (decision.state().equals(ScheduleDecision.SUSPENDED)) {
      return new Words(
          Conditions.FALSE,
          ScheduleReason.SUSPENDED,
          "spec.suspend is set: no run is started; runs continue");
    }
    if (decision.leftOut().isPresent()) {
      return new Words(Conditions.TRUE, ScheduleReason.RUN_LEFT_OUT, decision.leftOut().get());
    }
    Optional<Instant> last = lastRun();
    if (last.filter(time -> time.isAfter(now.plus(CLOCK_TOLERANCE))).isPresent()) {
      return new Words(
          Conditions.FALSE,
          ScheduleReason.CLOCK_SKEW,
          "status.lastRun is "
              + last.get()
              + ", which is later than the operator's clock; no time up to then is run again;"
              + " correct the clock, or create the schedule again");
    }
    return before()
        .filter(old -> schedule.getMetadata().getGeneration().equals(old.getObservedGeneration()))
        .flatMap(
            old ->
                StatusReason.parse(ScheduleReason.class, old.getReason())
                    .filter(CARRIED::contains)
                    .map(reason -> new Words(old.getStatus(), reason, old.getMessage())))
        .orElse(new Words(Conditions.TRUE, ScheduleReason.SCHEDULED, "the schedule is followed"));
  }

  private Optional<Condition> before() {
    return Optional.ofNullable(schedule.getStatus())
        .flatMap(status -> Conditions.named("Ready", status.conditions()));
  }

  private Optional<Instant> lastRun() {
    return Optional.ofNullable(schedule.getStatus())
        .map(ScheduledSparkApplicationStatus::lastRun)
        .map(Instant::parse);
  }

  private ScheduledSparkApplicationStatus status(
      List<ScheduledRun> runs, Optional<Start> started, Words words) {
    ScheduledSparkApplicationStatus old = schedule.getStatus();
    List<ScheduledRun> kept =
        runs.stream().filter(run -> !decision.expired().contains(run.name())).toList();
    Long generation = schedule.getMetadata().getGeneration();
    return new ScheduledSparkApplicationStatus(
        generation,
        decision.state(),
        words.status().equals(Conditions.FALSE) && words.reason() != ScheduleReason.SUSPENDED
            ? words.message()
            : null,
        started.map(run -> run.time().toString()).orElse(old == null ? null : old.lastRun()),
        started.map(Start::name).orElse(old == null ? null : old.lastRunName()),
        decision.next().map(Instant::toString).orElse(null),
        names(kept, Set.of(Outcome.ACTIVE)).limit(MAX_ACTIVE).toList(),
        names(kept, ScheduleLifecycle.SUCCEEDED).toList(),
        names(kept, ScheduleLifecycle.FAILED).toList(),
        new Conditions(old == null ? null : old.conditions(), generation, now)
            .add("Ready", words.status(), words.reason(), words.message())
            .addProgress(Progress.of(words.reason()))
            .build());
  }

  private static Stream<String> names(List<ScheduledRun> runs, Set<Outcome> outcomes) {
    return runs.stream()
        .filter(run -> outcomes.contains(run.outcome()))
        .sorted(ScheduledRun.NEWEST_FIRST)
        .map(ScheduledRun::name);
  }

  /** Status, reason and message of the Ready condition. */
  private record Words(String status, ScheduleReason reason, String message) {}
}
