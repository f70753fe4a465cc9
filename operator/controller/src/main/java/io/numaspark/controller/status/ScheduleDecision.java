package io.numaspark.controller.status;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done for a schedule now.
 *
 * @param state scheduleState in kubeflow's words: Scheduled, Suspended or FailedValidation
 * @param problem why the schedule cannot be followed, with FailedValidation
 * @param delete names of runs to delete, before one is started
 * @param start the time to start a run for
 * @param leftOut why the run of a time that has come is not started
 * @param next the next time of the schedule
 */
public record ScheduleDecision(
    String state,
    Optional<String> problem,
    List<String> delete,
    Optional<Instant> start,
    Optional<String> leftOut,
    Optional<Instant> next) {
  public static final String SCHEDULED = "Scheduled";
  public static final String SUSPENDED = "Suspended";
  public static final String FAILED_VALIDATION = "FailedValidation";
}
