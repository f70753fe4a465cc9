package io.numaspark.controller.status;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done for a schedule now.
 *
 * @param state scheduleState in kubeflow's words: Scheduled, Suspended or FailedValidation
 * @param problem why the schedule cannot be followed, with FailedValidation
 * @param expired names of ended runs beyond the history limits, the oldest first
 * @param start the run to create
 * @param leftOut why the run of a time that has come is not started
 * @param next the next time of the schedule
 */
public record ScheduleDecision(
    String state,
    Optional<String> problem,
    List<String> expired,
    Optional<Start> start,
    Optional<String> leftOut,
    Optional<Instant> next) {
  public static final String SCHEDULED = "Scheduled";
  public static final String SUSPENDED = "Suspended";
  public static final String FAILED_VALIDATION = "FailedValidation";

  /**
   * A run to create.
   *
   * @param time the time of the schedule that it is for
   * @param replaces names of runs to delete once it exists
   */
  public record Start(String name, Instant time, List<String> replaces) {}
}
