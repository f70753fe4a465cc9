package io.numaspark.controller.status;

import java.time.Instant;
import java.util.Comparator;

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

  /**
   * The name of the run of a time: that of the schedule and the minutes since 1970, as CronJob
   * names its Jobs. Two times of a calendar are at least a minute apart, so it is unique, and it
   * appends 9 characters until the year 2160.
   */
  public static String nameOf(String schedule, Instant time) {
    return schedule + "-" + Math.floorDiv(time.getEpochSecond(), 60);
  }
}
