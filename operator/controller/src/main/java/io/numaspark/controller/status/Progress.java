package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkConnectStatus;
import java.util.Set;

/**
 * How far an object that is not Ready is from what its spec wants, as kstatus reads it: by that
 * library Flux and Helm 4 know whether to wait longer.
 *
 * <p>Limit: an object without any status is what kstatus calls current.
 */
enum Progress {
  /** Nothing is to be done, because somebody has said so: neither condition. */
  SETTLED(null),
  /** The operator continues by itself, or as soon as it finds what it waits for. */
  CONTINUES("Reconciling"),
  /** Nothing happens until somebody edits something. */
  STUCK("Stalled");

  private static final Set<TrialReason> REFUSED_TRIALS =
      Set.of(
          TrialReason.INVALID_TRIAL,
          TrialReason.TRIALS_NOT_ALLOWED,
          TrialReason.TRIAL_SPEC_CHANGED);

  private final String condition;

  Progress(String condition) {
    this.condition = condition;
  }

  /** Type of the condition that is True; null if there is none. */
  String condition() {
    return condition;
  }

  /** Whether a condition is one of these. */
  static boolean isOne(String type) {
    return type.equals(CONTINUES.condition) || type.equals(STUCK.condition);
  }

  /**
   * Of an application.
   *
   * @param isDue whether something is tried again at a certain time
   */
  static Progress of(State state, boolean isDue) {
    return switch (state) {
      case FAILED -> STUCK;
      case SUBMISSION_FAILED -> isDue ? CONTINUES : STUCK;
      case SUSPENDED -> SETTLED;
      default -> CONTINUES;
    };
  }

  /** Of a schedule. A refused run is tried again at the next time. */
  static Progress of(ScheduleReason reason) {
    return switch (reason) {
      case INVALID_SCHEDULE, CLOCK_SKEW -> STUCK;
      case RUN_REFUSED -> CONTINUES;
      case SCHEDULED, RUN_STARTED, RUN_LEFT_OUT, SUSPENDED -> SETTLED;
    };
  }

  /** Of a server that is to run for ever. */
  static Progress of(SparkConnectStatus.State state) {
    return switch (state) {
      case Ready, Suspended -> SETTLED;
      case Failed -> STUCK;
      case Provisioning, NotReady -> CONTINUES;
    };
  }

  /** Of a trial, which waits for nodes, profiles and quotas. */
  static Progress of(TrialReason reason) {
    if (reason == TrialReason.TRIAL_SUSPENDED) {
      return SETTLED;
    }
    return REFUSED_TRIALS.contains(reason) ? STUCK : CONTINUES;
  }
}
