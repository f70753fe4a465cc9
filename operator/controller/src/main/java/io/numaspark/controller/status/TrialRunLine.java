package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.ExecutorCounters;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Prices;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ActiveRun;
import io.numaspark.api.v1alpha1.SparkTrialStatus.NodeLoad;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
import io.numaspark.render.counters.CounterFigures;
import io.numaspark.render.text.ForeignText;
import io.numaspark.trial.design.TrialDesign;
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
   * What is known of a run that has ended, beside its SparkApplication.
   *
   * @param driver how long its driver ran; empty if nobody knows
   * @param observed whether its profile pins nothing
   * @param held what its pods held; empty if nobody asks, or its driver is gone
   * @param prices for its cost; null if nobody asks
   */
  public record Ended(
      Optional<Duration> driver, boolean observed, Optional<HeldResources> held, Prices prices) {
    static final Ended UNKNOWN = new Ended(Optional.empty(), false, Optional.empty(), null);
  }

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

  /** Of a run that has ended. */
  public RunInfo ended(Ended end) {
    Optional<Duration> driver = end.driver();
    Optional<SparkApplicationStatus> status = application.map(SparkApplication::getStatus);
    if (status.map(SparkApplicationStatus::stateOf).filter(State.COMPLETED::equals).isEmpty()) {
      return line(
          Outcome.FAILED,
          end,
          status
              .flatMap(of -> Optional.ofNullable(of.applicationState().errorMessage()))
              .orElse("Its SparkApplication was deleted."));
    }
    if (driver.isEmpty() || driver.get().isZero()) {
      return line(
          Outcome.FAILED,
          end,
          driver.isEmpty()
              ? "Its driver pod is gone, so nobody knows how long it ran."
              : "It ran for less than a second, which is too short to be measured.");
    }
    Optional<String> fault = status.flatMap(of -> fault(of, end.observed()));
    return line(fault.isPresent() ? Outcome.INVALID : Outcome.OK, end, fault.orElse(null));
  }

  /** Of a run that is ended because it takes too long. */
  public RunInfo timedOut(String why) {
    return line(Outcome.TIMED_OUT, Ended.UNKNOWN, why);
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

  private RunInfo line(Outcome outcome, Ended end, String remark) {
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
    Optional<NodeLoad> load = TrialLoad.busiest(run.load());
    String disturbance = disturbance(counts, load).orElse(null);
    return new RunInfo(
        run.phase(),
        run.round(),
        session,
        run.arm(),
        outcome.name(),
        end.driver()
            .map(Duration::toSeconds)
            .filter(seconds -> seconds > 0)
            .map(Long::doubleValue)
            .orElse(wall),
        wall,
        counts.map(ExecutorCounts::pinned).orElse(null),
        counts.map(ExecutorCounts::notPinned).orElse(null),
        local.isPresent() ? (int) Math.round(local.getAsDouble()) : null,
        CounterFigures.mean(counters(status)).orElse(null),
        load.map(NodeLoad::othersPercent).orElse(null),
        load.map(NodeLoad::stolenPercent).orElse(null),
        orNull(end.held().map(HeldResources::executorCpuHours)),
        end.prices() == null ? null : orNull(end.held().map(held -> held.cost(end.prices()))),
        outcome == Outcome.OK && disturbance != null ? true : null,
        remark == null && disturbance == null
            ? null
            : ForeignText.line(remark == null ? disturbance : remark, LONGEST_REMARK));
  }

  private Optional<String> disturbance(Optional<ExecutorCounts> counts, Optional<NodeLoad> load) {
    if (run.disturbedBy() != null) {
      return Optional.of("Others had executors on the nodes: " + run.disturbedBy());
    }
    Optional<Integer> failed = counts.map(ExecutorCounts::failed).filter(number -> number > 0);
    if (failed.isPresent()) {
      return Optional.of(failed.get() + " executors failed.");
    }
    return load.filter(TrialRunLine::isTooMuch)
        .map(
            busiest ->
                "On node %s others used %d %% of the CPU time, the hypervisor took %d %%."
                    .formatted(busiest.node(), busiest.othersPercent(), busiest.stolenPercent()));
  }

  private static boolean isTooMuch(NodeLoad load) {
    double most = 100 * TrialDesign.MOST_FOREIGN;
    return load.othersPercent() > most || load.stolenPercent() > most;
  }

  private static Double orNull(Optional<OptionalDouble> amount) {
    return amount
        .filter(OptionalDouble::isPresent)
        .map(OptionalDouble::getAsDouble)
        .map(number -> Math.round(number * 1e6) / 1e6)
        .orElse(null);
  }
}
