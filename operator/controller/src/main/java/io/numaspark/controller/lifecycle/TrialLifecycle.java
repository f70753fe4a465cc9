package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.SparkTrialSpec;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ActiveRun;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.controller.lifecycle.TrialSituation.RunSeen;
import io.numaspark.render.sparktrial.RunLines;
import io.numaspark.render.sparktrial.TrialPlan;
import io.numaspark.trial.engine.Action;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Engine;
import io.numaspark.trial.engine.Run;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;

/**
 * Decides what a trial does next.
 *
 * <pre>
 *   Pending --put right--> Waiting --nodes empty--> Calibrating, Screening, Confirming --> Completed
 *      \__________________________Suspended________________________/
 * </pre>
 *
 * <p>What it decides was written to the status before it is done, and its name follows from it. So
 * the operator may be killed between any two requests.
 */
public final class TrialLifecycle {
  /** How long the executors of others may take to end, while no others start. */
  static final Duration LONGEST_DRAIN = Duration.ofMinutes(30);

  /** How long a run may wait for its slots. */
  static final Duration LONGEST_START = Duration.ofMinutes(15);

  /** A run that takes longer than the baseline by this factor is ended. */
  private static final int TIMEOUT_FACTOR = 3;

  private static final Duration LEAST_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration WHILE_RUNNING = Duration.ofSeconds(10);
  private static final Duration WHILE_PLANNING = Duration.ofSeconds(1);
  private static final Duration WHILE_WAITING = Duration.ofSeconds(15);

  /** Before a run of this trial has shown it: pods have to be scheduled, and JVMs to start. */
  private static final double USUAL_SECONDS_BETWEEN_RUNS = 20;

  private final TrialSituation now;
  private final SparkTrialSpec spec;

  private TrialLifecycle(TrialSituation now) {
    this.now = now;
    this.spec = now.trial().getSpec();
  }

  /** The next step. */
  public static TrialStep next(TrialSituation situation) {
    return new TrialLifecycle(situation).next();
  }

  private TrialStep next() {
    if (now.phase() == Phase.Completed) {
      return completed();
    }
    if (Boolean.TRUE.equals(spec.suspend())) {
      return new TrialStep.Suspend();
    }
    if (now.problem().isPresent()) {
      return new TrialStep.Refuse(now.problem().get());
    }
    if (now.nodes().lockedSince().isEmpty()) {
      if (now.nodes().holder().isPresent()) {
        return new TrialStep.Queue();
      }
      return isGivingWay() ? new TrialStep.Follow(WHILE_WAITING) : new TrialStep.Lock();
    }
    if (now.phase() == null || !now.phase().isMeasuring()) {
      if (now.nodes().others().isEmpty()) {
        return measure(now.plan().orElseThrow());
      }
      return now.now().isBefore(now.nodes().lockedSince().get().plus(LONGEST_DRAIN))
          ? new TrialStep.Drain()
          : new TrialStep.GiveWay();
    }
    return measure(now.plan().orElseThrow());
  }

  private TrialStep completed() {
    Long timeToLive = spec.timeToLiveSeconds();
    if (timeToLive == null || now.trial().getStatus().completionTime() == null) {
      return new TrialStep.Follow(Duration.ZERO);
    }
    Duration left =
        Duration.between(
            now.now(), time(now.trial().getStatus().completionTime()).plusSeconds(timeToLive));
    return left.isNegative() || left.isZero()
        ? new TrialStep.Delete()
        : new TrialStep.Follow(left.plusMillis(1));
  }

  /** After a drain in vain; the status says since when. */
  private boolean isGivingWay() {
    return now.trial().getStatus() != null
        && now.trial().getStatus().givesWayUntil() != null
        && now.now().isBefore(time(now.trial().getStatus().givesWayUntil()));
  }

  private TrialStep measure(TrialPlan plan) {
    ActiveRun active = now.active();
    if (active != null && isRecorded(active)) {
      active = null; // Its line was written, and its application is deleted or will be.
    }
    if (active != null) {
      return follow(active, plan);
    }
    if (isOver(plan)) {
      return new TrialStep.Finish(Ending.BUDGET);
    }
    Action action =
        new Engine(plan.design(), RunLines.secondsBetween(now.runs(), USUAL_SECONDS_BETWEEN_RUNS))
            .next(
                now.runs(),
                now.session(),
                Duration.ofMillis((long) (1000 * RunLines.wallSeconds(now.runs()))));
    return action instanceof Action.Start start
        ? new TrialStep.Prepare(start.round(), start.arm())
        : new TrialStep.Finish(((Action.Finish) action).ending());
  }

  private boolean isRecorded(ActiveRun active) {
    return now.runs().stream()
        .anyMatch(
            run ->
                run.session() == now.session()
                    && run.arm().equals(active.arm())
                    && run.round().number() == active.round()
                    && run.round().phase().name().equals(active.phase()));
  }

  /** Whether it has had the nodes for as long as the profile allows. */
  private boolean isOver(TrialPlan plan) {
    return now.now().isAfter(now.nodes().lockedSince().orElseThrow().plus(plan.longest()));
  }

  private TrialStep follow(ActiveRun active, TrialPlan plan) {
    if (now.run().isEmpty() && !now.planned() && isLate(active)) {
      return new TrialStep.TimeOut(
          "Its profile was not planned, or its knobs were not set, within %d minutes."
              .formatted(LONGEST_START.toMinutes()));
    }
    if (now.run().isEmpty()) {
      return now.planned() && (now.nodes().others().isEmpty() || isLate(active))
          ? new TrialStep.Create()
          : new TrialStep.Follow(WHILE_PLANNING);
    }
    RunSeen run = now.run().get();
    if (run.ended()) {
      return new TrialStep.Record();
    }
    if (isOver(plan)) {
      return new TrialStep.TimeOut(
          "The profile lets a trial have its nodes for %d minutes."
              .formatted(plan.longest().toMinutes()));
    }
    Duration age = Duration.between(run.created(), now.now());
    if (!run.started() && age.compareTo(LONGEST_START) > 0) {
      return new TrialStep.TimeOut(
          "It did not start within %d minutes: %s"
              .formatted(LONGEST_START.toMinutes(), run.waitingFor()));
    }
    Duration limit = timeout(active, plan);
    return run.started() && age.compareTo(limit) > 0
        ? new TrialStep.TimeOut("It did not end within %d s.".formatted(limit.toSeconds()))
        : new TrialStep.Follow(WHILE_RUNNING);
  }

  /** The executors of the run before end soon. For those of others it does not wait for ever. */
  private boolean isLate(ActiveRun active) {
    return now.now().isAfter(time(active.since()).plus(LONGEST_START));
  }

  /** The first run of the baseline has all of the budget: nobody knows how long it takes. */
  private Duration timeout(ActiveRun active, TrialPlan plan) {
    List<Run> baseline =
        now.runs().stream()
            .filter(run -> run.isOk() && run.arm().equals(plan.design().baseline().name()))
            .toList();
    if (baseline.isEmpty()) {
      return plan.design().budget();
    }
    Duration limit =
        Duration.ofSeconds(
            (long)
                (TIMEOUT_FACTOR
                    * Objects.requireNonNullElse(
                        baseline.get(0).measures().get("wallSeconds"), baseline.get(0).seconds())));
    return limit.compareTo(LEAST_TIMEOUT) < 0 ? LEAST_TIMEOUT : limit;
  }

  private Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return now.now(); // Somebody else wrote it.
    }
  }
}
