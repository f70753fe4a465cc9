package io.numaspark.controller.lifecycle;

import static io.numaspark.api.v1alpha1.SparkApplicationStatus.stateOf;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.AttemptInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that the next step follows from.
 *
 * @param desired from the spec
 * @param recorded from the status
 * @param observed what is seen of the current attempt
 * @param now the time
 */
public record Situation(Desired desired, Recorded recorded, ObservedAttempt observed, Instant now) {

  /**
   * What the spec asks for.
   *
   * @param suspended spec.suspend, or it was evicted
   * @param changed whether the spec is another than the one that the current attempt runs
   * @param restarts spec.restartPolicy
   * @param timeToLiveSeconds spec.timeToLiveSeconds; empty: forever
   */
  public record Desired(
      boolean suspended,
      boolean changed,
      RestartRules restarts,
      Optional<Long> timeToLiveSeconds) {}

  /**
   * What the status says.
   *
   * @param state null for an application that nobody looked at yet
   * @param waits whether nothing of the attempt after {@code attempt} exists, because something is
   *     missing that it needs
   * @param attempt number of the last attempt that was intended; 0 before the first
   * @param failures failed attempts in a row since the spec was changed or resumed
   * @param created whether the driver of this attempt is known to have existed
   * @param endedAt when the last attempt ended
   * @param dueAt when something is to be tried again
   * @param lastEnd how the last attempt that ended did so
   */
  public record Recorded(
      State state,
      boolean waits,
      int attempt,
      int failures,
      boolean created,
      Optional<Instant> endedAt,
      Optional<Instant> dueAt,
      Optional<State> lastEnd) {}

  /**
   * The situation of an application whose current attempt was looked at.
   *
   * @param evicted whether it has to stop, because who gave it quota wants that back
   */
  public static Situation of(
      SparkApplication application, boolean evicted, ObservedAttempt observed, Instant now) {
    SparkApplicationStatus status =
        Objects.requireNonNullElse(application.getStatus(), SparkApplicationStatus.empty());
    return new Situation(desired(application, evicted, status), recorded(status), observed, now);
  }

  private static Desired desired(
      SparkApplication application, boolean evicted, SparkApplicationStatus status) {
    SparkApplicationSpec spec = application.getSpec();
    return new Desired(
        evicted || Boolean.TRUE.equals(spec.suspend()),
        isChanged(application, status.run()),
        RestartRules.of(spec),
        Optional.ofNullable(spec.timeToLiveSeconds()));
  }

  /** The digest is only computed after an edit: metadata.generation counts edits of the spec. */
  private static boolean isChanged(SparkApplication application, RunInfo run) {
    return run != null
        && run.specDigest() != null
        && !Objects.equals(run.generation(), application.getMetadata().getGeneration())
        && !run.specDigest().equals(SpecDigest.of(application.getSpec()));
  }

  private static Recorded recorded(SparkApplicationStatus status) {
    Optional<RunInfo> run = Optional.ofNullable(status.run());
    List<AttemptInfo> attempts = Objects.requireNonNullElse(status.attempts(), List.of());
    return new Recorded(
        stateOf(status),
        SparkApplicationStatus.waits(status),
        run.map(RunInfo::attempt).orElse(status.sparkApplicationId() == null ? 0 : 1),
        run.map(RunInfo::failures).orElse(0),
        status.driverInfo() != null && status.driverInfo().podUid() != null,
        instant(status.terminationTime()),
        instant(status.nextAttemptTime()),
        attempts.stream().findFirst().map(AttemptInfo::state));
  }

  /** A status that somebody has edited by hand must not stop the application. */
  private static Optional<Instant> instant(String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
