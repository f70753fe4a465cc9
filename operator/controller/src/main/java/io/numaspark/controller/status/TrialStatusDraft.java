package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ActiveRun;
import io.numaspark.api.v1alpha1.SparkTrialStatus.ArmInfo;
import io.numaspark.api.v1alpha1.SparkTrialStatus.NodeLoad;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Recommendation;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Rounds;
import io.numaspark.api.v1alpha1.SparkTrialStatus.RunInfo;
import io.numaspark.render.sparktrial.RunLines;
import io.numaspark.render.sparktrial.TrialPlan;
import io.numaspark.render.text.ForeignText;
import io.numaspark.trial.engine.Action.Ending;
import io.numaspark.trial.engine.Engine;
import io.numaspark.trial.engine.RoundId;
import io.numaspark.trial.engine.Run;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The next status of a trial: the one that it has, with what changes.
 *
 * <p>Limit: runs are never taken out of it; a trial has some hundreds at most.
 */
public final class TrialStatusDraft {
  private static final int LONGEST_MESSAGE = 1024;

  private final SparkTrial trial;
  private final Instant now;
  private final Optional<SparkTrialStatus> before;
  private String specDigest;
  private Phase phase;
  private Long seed;
  private Integer session;
  private String lockedSince;
  private String givesWayUntil;
  private String completionTime;
  private ActiveRun run;
  private Rounds rounds;
  private Integer remainingMinutes;
  private String ending;
  private String summary;
  private List<ArmInfo> arms;
  private Recommendation recommendation;
  private final List<RunInfo> runs;
  private final TrialConditions conditions;

  /** The status as it is; each call changes some of it. */
  public TrialStatusDraft(SparkTrial trial, Instant now) {
    this.trial = trial;
    this.now = now;
    before = Optional.ofNullable(trial.getStatus());
    phase = before.map(SparkTrialStatus::phase).orElse(null);
    specDigest = before.map(SparkTrialStatus::specDigest).orElse(null);
    seed = before.map(SparkTrialStatus::seed).orElse(null);
    session = before.map(SparkTrialStatus::session).orElse(1);
    lockedSince = before.map(SparkTrialStatus::lockedSince).orElse(null);
    givesWayUntil = before.map(SparkTrialStatus::givesWayUntil).orElse(null);
    completionTime = before.map(SparkTrialStatus::completionTime).orElse(null);
    run = before.map(SparkTrialStatus::run).orElse(null);
    rounds = before.map(SparkTrialStatus::rounds).orElse(null);
    remainingMinutes = before.map(SparkTrialStatus::remainingMinutes).orElse(null);
    ending = before.map(SparkTrialStatus::ending).orElse(null);
    summary = before.map(SparkTrialStatus::summary).orElse(null);
    arms = before.map(SparkTrialStatus::arms).orElse(null);
    recommendation = before.map(SparkTrialStatus::recommendation).orElse(null);
    conditions = new TrialConditions(before.map(SparkTrialStatus::conditions).orElse(null));
    runs = new ArrayList<>(before.map(SparkTrialStatus::runs).orElse(List.of()));
  }

  /** It cannot be measured; what it has measured stays. */
  public TrialStatusDraft refused(TrialReason reason, String message) {
    stopped(Phase.Pending);
    conditions.ready(Conditions.FALSE, reason, message);
    conditions.locked(Conditions.FALSE, reason, "others may use the nodes");
    return this;
  }

  /** Somebody has suspended it. */
  public TrialStatusDraft suspended() {
    stopped(Phase.Suspended);
    conditions.ready(
        Conditions.FALSE,
        TrialReason.TRIAL_SUSPENDED,
        "spec.suspend is set: no run is started, and others may use the nodes");
    conditions.locked(Conditions.FALSE, TrialReason.TRIAL_SUSPENDED, "others may use the nodes");
    return this;
  }

  /** A run that was interrupted makes its round one of another session. */
  private void stopped(Phase next) {
    if (phase != null && phase.isMeasuring()) {
      session = session + 1;
    }
    phase = next;
    run = null;
    lockedSince = null;
    remainingMinutes = null;
  }

  /** Another trial has the nodes, or has priority for a while. */
  public TrialStatusDraft waiting(TrialReason reason, String message) {
    stopped(Phase.Waiting);
    conditions.waits(reason, message);
    return this;
  }

  /** It has the nodes, but others still run there. */
  public TrialStatusDraft draining(Instant since, List<String> others) {
    phase = Phase.Waiting;
    lockedSince = text(since);
    givesWayUntil = null;
    String message =
        others.isEmpty()
            ? "no other application starts on the nodes"
            : "no other application starts on the nodes; waits for the executors of "
                + String.join(", ", others);
    conditions.waits(TrialReason.NODES_BUSY, message);
    return this;
  }

  /** Others may start again for as long as it has waited. */
  public TrialStatusDraft gaveWay(List<String> others) {
    Instant since = lockedSince == null ? now : Instant.parse(lockedSince);
    stopped(Phase.Waiting);
    Instant until = now.plus(Duration.between(since, now));
    givesWayUntil = text(until);
    String message =
        "the executors of %s did not end; others may start until %s, then it tries again"
            .formatted(String.join(", ", others), text(until));
    conditions.waits(TrialReason.NODES_STAYED_BUSY, message);
    return this;
  }

  /** The run that comes next. */
  public TrialStatusDraft prepared(ActiveRun next, TrialPlan plan, String digest) {
    run = next;
    specDigest = digest;
    seed = plan.design().seed();
    phase =
        switch (roundPhase(next)) {
          case CALIBRATION -> Phase.Calibrating;
          case SCREENING -> Phase.Screening;
          case CONFIRMATION -> Phase.Confirming;
        };
    measured(plan);
    measuring(plan);
    return this;
  }

  /** What else runs on the nodes disturbs the run; the first that was seen is named. */
  public TrialStatusDraft disturbed(List<String> others) {
    if (run != null && run.disturbedBy() == null && !others.isEmpty()) {
      run = run.disturbedBy(ForeignText.line(String.join(", ", others), LONGEST_MESSAGE));
    }
    return this;
  }

  /** How busy the nodes of the run are. */
  public TrialStatusDraft loaded(List<NodeLoad> loads) {
    if (run != null && !loads.isEmpty()) {
      run = run.withLoad(loads);
    }
    return this;
  }

  /** The line of a run that has ended. */
  public TrialStatusDraft recorded(RunInfo line, TrialPlan plan) {
    runs.add(line);
    run = null;
    measured(plan);
    measuring(plan);
    return this;
  }

  private void measuring(TrialPlan plan) {
    String message =
        switch (phase) {
          case Confirming ->
              "%d of %d rounds count so far".formatted(rounds.done(), rounds.planned());
          case Screening -> "screening, which drops the worst arms";
          default ->
              "calibration, which does not count: each of %d arms runs once"
                  .formatted(plan.arms().size());
        };
    conditions.ready(Conditions.TRUE, TrialReason.MEASURING, message);
    conditions.locked(
        Conditions.TRUE,
        TrialReason.MEASURING,
        "no other application starts on the nodes since " + lockedSince);
  }

  /** The analysis of what there is so far, without a verdict on the whole. */
  private void measured(TrialPlan plan) {
    List<Run> lines = RunLines.of(runs);
    rounds = TrialAnswer.rounds(plan, lines);
    double seconds =
        new Engine(plan.design(), RunLines.secondsBetween(lines, 0)).remainingSeconds(lines);
    remainingMinutes = Double.isNaN(seconds) ? null : (int) (seconds / 60) + 1;
  }

  /** The result. */
  public TrialStatusDraft finished(TrialPlan plan, Ending end) {
    measured(plan);
    TrialAnswer answer = TrialAnswer.of(plan, RunLines.of(runs), end);
    phase = Phase.Completed;
    run = null;
    lockedSince = null;
    remainingMinutes = 0;
    completionTime = text(now);
    ending = end.name();
    summary = answer.summary();
    arms = answer.arms();
    recommendation = answer.recommendation().orElse(null);
    conditions.ready(
        Conditions.TRUE, TrialReason.TRIAL_COMPLETED, "it ended because " + end.words());
    conditions.locked(Conditions.FALSE, TrialReason.TRIAL_COMPLETED, "others may use the nodes");
    if (answer.doubts().isEmpty()) {
      conditions.trustworthy(
          Conditions.TRUE,
          TrialReason.CONTROLS_PASSED,
          "the baseline does not differ from itself"
              + (plan.design().delay() > 0 ? ", and a slowdown on purpose was found" : "")
              + (RunLines.knowOthers(RunLines.of(runs))
                  ? ""
                  : "; no agent reported what else used the nodes"));
    } else {
      conditions.trustworthy(
          Conditions.FALSE, TrialReason.CONTROLS_FAILED, String.join(" ", answer.doubts()));
    }
    return this;
  }

  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** The whole status. */
  public SparkTrialStatus build() {
    Long generation = trial.getMetadata().getGeneration();
    return new SparkTrialStatus(
        generation,
        specDigest,
        phase,
        seed,
        session,
        lockedSince,
        givesWayUntil,
        completionTime,
        run,
        rounds,
        remainingMinutes,
        ending,
        summary,
        arms,
        recommendation,
        runs.isEmpty() ? null : List.copyOf(runs),
        conditions.build(generation, now));
  }

  private static io.numaspark.trial.engine.Phase roundPhase(ActiveRun run) {
    return io.numaspark.trial.engine.Phase.valueOf(run.phase());
  }

  /** The round of a run that is to be prepared, and its name. */
  public static ActiveRun active(
      SparkTrial trial, RoundId round, String arm, int session, Instant now) {
    String name =
        "%s-%s%d-%s-%d"
            .formatted(
                trial.getMetadata().getName(),
                round.phase().name().substring(0, 2).toLowerCase(Locale.ROOT),
                round.number(),
                arm,
                session);
    return new ActiveRun(name, arm, round.phase().name(), round.number(), text(now), null, null);
  }
}
