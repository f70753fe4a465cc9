package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.api.v1alpha1.SparkTrialStatus.Phase;
import io.numaspark.render.sparktrial.TrialPlan;
import io.numaspark.trial.engine.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a trial when it is decided what it does next.
 *
 * @param plan empty if there is a problem
 * @param problem why it cannot be measured, if it cannot
 * @param runs that have ended
 * @param nodes who uses the nodes of its profile
 * @param run the SparkApplication of the run that status.run names, if it exists
 * @param planned whether the profile is planned, and its knobs are set, as that run needs it
 */
public record TrialSituation(
    SparkTrial trial,
    Optional<TrialPlan> plan,
    Optional<TrialProblem> problem,
    List<Run> runs,
    Nodes nodes,
    Optional<RunSeen> run,
    boolean planned,
    Instant now) {

  public TrialSituation {
    runs = List.copyOf(runs);
  }

  /** Why a trial cannot be measured. */
  public record TrialProblem(Kind kind, String message) {
    /** What has to be put right. */
    public enum Kind {
      INVALID,
      NO_PROFILE,
      NOT_ALLOWED,
      SPEC_CHANGED
    }
  }

  /**
   * The nodes of the profile.
   *
   * @param lockedSince since when this trial keeps others from starting there; empty if it does not
   * @param holder the trial that does, if it is another one
   * @param others executors of other applications that run there
   */
  public record Nodes(Optional<Instant> lockedSince, Optional<String> holder, List<String> others) {
    public Nodes {
      others = List.copyOf(others);
    }
  }

  /**
   * A run as its SparkApplication shows it.
   *
   * @param ended whether it has ended, well or not
   * @param started whether its driver was started
   * @param waitingFor what it says while it has not started
   */
  public record RunSeen(Instant created, boolean ended, boolean started, String waitingFor) {}

  /** The run in the status; null if there is none. */
  public SparkTrialStatus.ActiveRun active() {
    return trial.getStatus() == null ? null : trial.getStatus().run();
  }

  /** How often the trial was started or resumed, from 1. */
  public int session() {
    return trial.getStatus() == null || trial.getStatus().session() == null
        ? 1
        : trial.getStatus().session();
  }

  public Phase phase() {
    return trial.getStatus() == null ? null : trial.getStatus().phase();
  }
}
