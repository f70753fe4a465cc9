package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.render.text.Labels;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * One run of a schedule, as its SparkApplication shows it.
 *
 * @param time the time of the schedule that it was created for
 */
public record ScheduledRun(String name, Instant time, Outcome outcome) {
  /** The newest first; the name decides between equal times, so that lists are stable. */
  static final Comparator<ScheduledRun> NEWEST_FIRST =
      Comparator.comparing(ScheduledRun::time).thenComparing(ScheduledRun::name).reversed();

  /** How far a run has come. */
  public enum Outcome {
    /** Not ended, whether it runs or not. */
    ACTIVE,
    /** Its submission failed; an edit or the passing of a quota may still start it. */
    NOT_SUBMITTED,
    SUCCEEDED,
    FAILED
  }

  /** A run as it is now. */
  public static ScheduledRun of(SparkApplication run) {
    return new ScheduledRun(run.getMetadata().getName(), scheduledTime(run), outcome(run));
  }

  /** The annotation is ours, but anyone may have edited it. */
  private static Instant scheduledTime(SparkApplication run) {
    String created = run.getMetadata().getCreationTimestamp();
    try {
      return Instant.parse(
          Optional.ofNullable(run.getMetadata().getAnnotations())
              .map(annotations -> annotations.get(Labels.SCHEDULED_TIME))
              .orElse(created));
    } catch (DateTimeParseException e) {
      return Instant.parse(created);
    }
  }

  private static Outcome outcome(SparkApplication run) {
    State state =
        Objects.requireNonNullElse(
            SparkApplicationStatus.stateOf(run.getStatus()), State.SUBMITTED);
    return switch (state) {
      case COMPLETED -> Outcome.SUCCEEDED;
      case FAILED -> Outcome.FAILED;
      case SUBMISSION_FAILED -> Outcome.NOT_SUBMITTED;
      default -> Outcome.ACTIVE;
    };
  }

  /**
   * The name of the run of a time: that of the schedule and the minutes since 1970, as CronJob
   * names its Jobs. Two times of a calendar are at least a minute apart, so it is unique, and it
   * appends 9 characters until the year 2160.
   */
  public static String nameOf(String schedule, Instant time) {
    return schedule + "-" + Math.floorDiv(time.getEpochSecond(), 60);
  }
}
