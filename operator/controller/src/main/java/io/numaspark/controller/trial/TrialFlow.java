package io.numaspark.controller.trial;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Variant;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ActiveRun;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.controller.apply.TrialRuns;
import io.numaspark.controller.lifecycle.SpecDigest;
import io.numaspark.controller.lifecycle.TrialLifecycle;
import io.numaspark.controller.lifecycle.TrialSituation;
import io.numaspark.controller.lifecycle.TrialSituation.RunSeen;
import io.numaspark.controller.lifecycle.TrialSituation.TrialProblem;
import io.numaspark.controller.lifecycle.TrialStep;
import io.numaspark.controller.observe.AttemptPods;
import io.numaspark.controller.status.HeldResources;
import io.numaspark.controller.status.ObservedDriver;
import io.numaspark.controller.status.TrialLoad;
import io.numaspark.controller.status.TrialReason;
import io.numaspark.controller.status.TrialRunLine;
import io.numaspark.controller.status.TrialRunLine.Ended;
import io.numaspark.controller.status.TrialStatusDraft;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.controller.store.TrialLocks.Holder;
import io.numaspark.controller.watch.TrialWatches;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.sparktrial.ArmPlan;
import io.numaspark.render.sparktrial.ProfileVariant;
import io.numaspark.render.sparktrial.RunSpec;
import io.numaspark.render.sparktrial.TrialPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Carries out one step of a trial; {@link TrialLifecycle} decides it. */
public record TrialFlow(
    TrialWatches watches,
    TrialObservation observation,
    TrialLocks locks,
    TrialRuns runs,
    AttemptPods pods) {
  private static final int FAILED_RUNS_KEPT = 3;
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration WHILE_WAITING = Duration.ofSeconds(15);
  private static final Duration WHILE_RUNNING = Duration.ofSeconds(5);

  /**
   * What a step came to.
   *
   * @param status as it is now
   * @param again when to look again if no event comes; zero for never
   */
  public record Advanced(SparkTrialStatus status, Duration again) {}

  /** Does what is to be done now. */
  public Advanced advance(SparkTrial trial, Instant now) {
    TrialSituation situation = observation.of(trial, now);
    if (situation.phase() == Phase.Completed) {
      locks.release(Holder.of(trial));
    }
    TrialStep step = TrialLifecycle.next(situation);
    return new Carried(trial, situation, now).out(step);
  }

  /** A trial is gone: others may use its nodes. */
  public void forget(SparkTrial trial) {
    locks.release(Holder.of(trial));
  }

  /** One trial while a step is carried out. */
  private final class Carried {
    private final SparkTrial trial;
    private final TrialSituation situation;
    private final Instant now;
    private final TrialStatusDraft draft;
    private final String profile;

    Carried(SparkTrial trial, TrialSituation situation, Instant now) {
      this.trial = trial;
      this.situation = situation;
      this.now = now;
      draft = new TrialStatusDraft(trial, now);
      profile = trial.getSpec().template().nodeProfile();
    }

    Advanced out(TrialStep step) {
      if (step instanceof TrialStep.Refuse refuse) {
        stop();
        return advanced(draft.refused(reason(refuse.why()), refuse.why().message()), WHILE_WAITING);
      }
      if (step instanceof TrialStep.Suspend) {
        stop();
        return advanced(draft.suspended(), Duration.ZERO);
      }
      if (step instanceof TrialStep.Delete) {
        runs.delete(trial);
        return advanced(draft, Duration.ZERO);
      }
      if (step instanceof TrialStep.Finish finish) {
        // Its nodes are given up when the status says that it is over. Else it would take them again.
        deleteRuns();
        return advanced(draft.finished(plan(), finish.ending()), AT_ONCE);
      }
      if (step instanceof TrialStep.Queue) {
        return locked();
      }
      return step instanceof TrialStep.Lock
              || step instanceof TrialStep.Drain
              || step instanceof TrialStep.GiveWay
          ? nodes(step)
          : run(step);
    }

    private Advanced nodes(TrialStep step) {
      if (step instanceof TrialStep.GiveWay) {
        locks.release(Holder.of(trial));
        return advanced(draft.gaveWay(situation.nodes().others()), WHILE_WAITING);
      }
      return locks
          .acquire(profile, Holder.of(trial), now)
          .map(since -> advanced(draft.draining(since, situation.nodes().others()), WHILE_RUNNING))
          .orElseGet(this::locked);
    }

    private Advanced locked() {
      return advanced(
          draft.waiting(
              TrialReason.NODES_LOCKED,
              "SparkTrial %s has the nodes of profile %s for itself"
                  .formatted(
                      locks.holder(profile).map(Holder::toString).orElse("of another namespace"),
                      profile)),
          WHILE_WAITING);
    }

    private Advanced run(TrialStep step) {
      if (step instanceof TrialStep.Prepare prepare) {
        deleteRuns();
        ActiveRun next =
            TrialStatusDraft.active(
                trial, prepare.round(), prepare.arm().name(), situation.session(), now);
        locks.plan(profile, Holder.of(trial), plan().arm(next.arm()).variant());
        return advanced(
            draft.prepared(next, plan(), SpecDigest.of(trial.getSpec())), WHILE_RUNNING);
      }
      if (step instanceof TrialStep.Create) {
        return create(situation.active());
      }
      if (step instanceof TrialStep.Record) {
        return advanced(draft.recorded(line().ended(end()), plan()), AT_ONCE);
      }
      if (step instanceof TrialStep.TimeOut timeOut) {
        return advanced(draft.recorded(line().timedOut(timeOut.why()), plan()), AT_ONCE);
      }
      if (situation.nodes().lockedSince().isPresent() && situation.active() != null) {
        // After a restart nobody has asked for it yet.
        locks.plan(profile, Holder.of(trial), variant(situation.active()));
        if (situation.run().filter(RunSeen::started).isPresent()) {
          draft.disturbed(situation.nodes().others());
          draft.loaded(
              TrialLoad.next(situation.active().load(), observation.loads(profile), ownPods()));
        }
      }
      return advanced(draft, ((TrialStep.Follow) step).again());
    }

    private Advanced create(ActiveRun run) {
      ArmPlan arm = plan().arm(run.arm());
      SparkApplicationSpec spec = RunSpec.application(trial, arm, run.name(), run.round());
      Optional<String> refusal = runs.create(trial, run.name(), run.arm(), spec);
      if (refusal.isPresent()) {
        stop();
        return advanced(
            draft.refused(
                TrialReason.RUN_REFUSED,
                "SparkApplication %s was not created: %s".formatted(run.name(), refusal.get())),
            WHILE_WAITING);
      }
      return advanced(draft, WHILE_RUNNING);
    }

    private Variant variant(ActiveRun run) {
      return plan().arm(run.arm()).variant();
    }

    private boolean isObserved() {
      return watches
          .profile(profile)
          .map(found -> ProfileVariant.of(found.getSpec(), variant(situation.active())))
          .filter(ProfileVariant::isObserved)
          .isPresent();
    }

    private TrialRunLine line() {
      return new TrialRunLine(situation.active(), situation.session(), application(), now);
    }

    private Optional<SparkApplication> application() {
      return watches.run(trial.getMetadata().getNamespace(), situation.active().name());
    }

    private Ended end() {
      Optional<ApplicationIdentity> attempt = attempt();
      Optional<Pod> driver =
          attempt.flatMap(
              identity -> pods.liveDriver(identity).or(() -> pods.lastDriver(identity)));
      return new Ended(
          driver.flatMap(pod -> new ObservedDriver(pod).ranFor()),
          isObserved(),
          driver
              .filter(pod -> RunSpec.isMetricOfPods(trial.getSpec().metric()))
              .map(pod -> new HeldResources(pod, pods.executors(attempt.get()))),
          trial.getSpec().prices());
    }

    private Optional<ApplicationIdentity> attempt() {
      return application()
          .filter(run -> run.getStatus() != null && run.getStatus().sparkApplicationId() != null)
          .map(ApplicationIdentity::of);
    }

    /** UIDs of the pods of the run. */
    private Set<String> ownPods() {
      return attempt().stream()
          .flatMap(
              identity ->
                  Stream.concat(
                      pods.cachedDriver(identity).stream(), pods.executors(identity).stream()))
          .map(pod -> pod.getMetadata().getUid())
          .collect(Collectors.toSet());
    }

    private TrialPlan plan() {
      return situation.plan().orElseThrow();
    }

    private void stop() {
      deleteRuns();
      locks.release(Holder.of(trial));
    }

    /**
     * Those whose line is written, and one that was interrupted. The last that failed stay, because
     * somebody will want to know why.
     */
    private void deleteRuns() {
      List<SparkApplication> left =
          watches.runs(trial).stream()
              .sorted(Comparator.comparing(run -> run.getMetadata().getCreationTimestamp()))
              .toList();
      List<SparkApplication> failed = left.stream().filter(Carried::hasFailed).toList();
      List<SparkApplication> kept =
          failed.subList(Math.max(0, failed.size() - FAILED_RUNS_KEPT), failed.size());
      left.stream()
          .filter(run -> !run.isMarkedForDeletion() && !kept.contains(run))
          .forEach(runs::delete);
    }

    private static boolean hasFailed(SparkApplication run) {
      State state = stateOf(run.getStatus());
      return state == State.FAILED || state == State.SUBMISSION_FAILED;
    }

    private Advanced advanced(TrialStatusDraft next, Duration again) {
      return new Advanced(next.build(), again);
    }

    private TrialReason reason(TrialProblem problem) {
      return switch (problem.kind()) {
        case INVALID -> TrialReason.INVALID_TRIAL;
        case NO_PROFILE -> TrialReason.TRIAL_PROFILE_NOT_FOUND;
        case NOT_ALLOWED -> TrialReason.TRIALS_NOT_ALLOWED;
        case SPEC_CHANGED -> TrialReason.TRIAL_SPEC_CHANGED;
      };
    }
  }

  /** What a trial depends on, and what carries out its steps. */
  public static TrialFlow of(
      TrialWatches watches, TrialSurroundings around, TrialRuns runs, AttemptPods pods) {
    return new TrialFlow(
        watches,
        new TrialObservation(
            around.locks(),
            around.board(),
            around.plans(),
            around.agents(),
            watches::profile,
            watches::run,
            around.plugin()),
        around.locks(),
        runs,
        pods);
  }
}
