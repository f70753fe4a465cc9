package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ActiveRun;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
import io.numaspark.controller.foreign.ForeignText;
import io.numaspark.render.counters.CounterFigures;
import io.numaspark.trial.engine.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Makes the line of a run of a trial: whether it was what its arm says, and what it took.
 *
 * <p>Limit: times are the kubelet's, in whole seconds.
 */
public final class TrialRunLine {
  private static final int LONGEST_REMARK = 300;

  private final ActiveRun run;
  private final int session;
  private final Optional<SparkApplication> application;
  private final Instant now;

  /**
   * The line of a run.
   *
   * @param application empty if it is gone
   */
  public TrialRunLine(
      ActiveRun run, int session, Optional<SparkApplication> application, Instant now) {
    this.run = run;
    this.session = session;
    this.application = application;
    this.now = now;
  }

  /**
   * Of a run that has ended.
   *
   * @param driver seconds that its driver ran; empty if nobody knows
   * @param observed whether its profile pins nothing
   */
  public RunInfo ended(Optional<Duration> driver, boolean observed) {
    Optional<SparkApplicationStatus> status = application.map(SparkApplication::getStatus);
    if (status.map(SparkApplicationStatus::stateOf).filter(State.COMPLETED::equals).isEmpty()) {
      return line(
          Outcome.FAILED,
          driver,
          status
              .flatMap(of -> Optional.ofNullable(of.applicationState().errorMessage()))
              .orElse("Its SparkApplication was deleted."));
    }
    if (driver.isEmpty() || driver.get().isZero()) {
      return line(
          Outcome.FAILED,
          driver,
          driver.isEmpty()
              ? "Its driver pod is gone, so nobody knows how long it ran."
              : "It ran for less than a second, which is too short to be measured.");
    }
    Optional<String> fault = status.flatMap(of -> fault(of, observed));
    return line(fault.isPresent() ? Outcome.INVALID : Outcome.OK, driver, fault.orElse(null));
  }

  /** Of a run that is ended because it takes too long. */
  public RunInfo timedOut(String why) {
    return line(Outcome.TIMED_OUT, Optional.empty(), why);
  }

  /** Whether executors ran otherwise than the arm says. */
  private static Optional<String> fault(SparkApplicationStatus status, boolean observed) {
    ExecutorCounts counts = status.executorCounts();
    int pinned = counts == null ? 0 : Objects.requireNonNullElse(counts.pinned(), 0);
    int notPinned = counts == null ? 0 : Objects.requireNonNullElse(counts.notPinned(), 0);
    if (pinned + notPinned == 0) {
      return Optional.of(
          "Nobody reported which CPUs its executors had; runs of less than half a minute may be too short for that.");
    }
    if (observed && pinned > 0) {
      return Optional.of("%d of its executors were pinned and should not be.".formatted(pinned));
    }
    return observed || notPinned == 0
        ? Optional.empty()
        : Optional.of(
            "%d of its executors were not pinned: %s".formatted(notPinned, whyNot(status)));
  }

  private static String whyNot(SparkApplicationStatus status) {
    return executors(status)
        .filter(executor -> executor.pinned() == ExecutorInfo.Pinned.False)
        .map(ExecutorInfo::message)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("see the application's conditions");
  }

  private static Stream<ExecutorInfo> executors(SparkApplicationStatus status) {
    return Objects.requireNonNullElse(status.executors(), List.<ExecutorInfo>of()).stream();
  }

  private static List<ExecutorCounters> counters(Optional<SparkApplicationStatus> status) {
    return status.stream()
        .flatMap(TrialRunLine::executors)
        .map(ExecutorInfo::counters)
        .filter(Objects::nonNull)
        .toList();
  }

  private RunInfo line(Outcome outcome, Optional<Duration> driver, String remark) {
    double wall =
        Math.max(
            1,
            application
                .map(of -> Instant.parse(of.getMetadata().getCreationTimestamp()))
                .map(created -> Duration.between(created, now).toSeconds())
                .orElse(1L));
    Optional<SparkApplicationStatus> status = application.map(SparkApplication::getStatus);
    Optional<ExecutorCounts> counts = status.map(SparkApplicationStatus::executorCounts);
    OptionalDouble local =
        status.stream()
            .flatMap(TrialRunLine::executors)
            .map(ExecutorInfo::localMemoryPercent)
            .filter(Objects::nonNull)
            .mapToInt(Integer::intValue)
            .average();
    boolean lost = counts.map(ExecutorCounts::failed).filter(failed -> failed > 0).isPresent();
    String disturbance =
        run.disturbedBy() != null
            ? "Others had executors on the nodes: " + run.disturbedBy()
            : lost ? counts.get().failed() + " executors failed." : null;
    return new RunInfo(
        run.phase(),
        run.round(),
        session,
        run.arm(),
        outcome.name(),
        driver
            .map(Duration::toSeconds)
            .filter(seconds -> seconds > 0)
            .map(Long::doubleValue)
            .orElse(wall),
        wall,
        counts.map(ExecutorCounts::pinned).orElse(null),
        counts.map(ExecutorCounts::notPinned).orElse(null),
        local.isPresent() ? (int) Math.round(local.getAsDouble()) : null,
        CounterFigures.mean(counters(status)).orElse(null),
        outcome == Outcome.OK && disturbance != null ? true : null,
        remark == null && disturbance == null
            ? null
            : ForeignText.line(remark == null ? disturbance : remark, LONGEST_REMARK));
  }
}
