package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ApplicationState;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.AttemptInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorShapeInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunInfo;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.RunningExecutors;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.render.text.ForeignText;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A status in the making: what is not set stays as it was. */
final class StatusDraft {
  private static final int KEPT_ATTEMPTS = 10;
  private static final int KEPT_WARNINGS = 20;
  private static final int LONGEST_WARNING = 1024;

  private final Long generation;
  private final Instant now;
  private final List<Condition> conditionsBefore;
  private ApplicationState state;
  private String sparkApplicationId;
  private RunInfo run;
  private Integer submissions;
  private String submissionTime;
  private String terminationTime;
  private String dueTime;
  private DriverInfo driver;
  private ExecutorShapeInfo shape;
  private ExecutorCounts counts;
  private RunningExecutors running;
  private List<ExecutorInfo> executors;
  private List<AttemptInfo> attempts;
  private List<String> warnings;
  private List<Condition> conditions;

  StatusDraft(SparkApplicationStatus before, Long generation, Instant now) {
    this.generation = generation;
    this.now = now;
    conditionsBefore = before.conditions();
    state = before.applicationState();
    sparkApplicationId = before.sparkApplicationId();
    run = before.run();
    submissions = before.submissionAttempts();
    submissionTime = before.lastSubmissionAttemptTime();
    terminationTime = before.terminationTime();
    dueTime = before.nextAttemptTime();
    driver = before.driverInfo();
    shape = before.executorShape();
    counts = before.executorCounts();
    running = before.runningExecutors();
    executors = before.executors();
    attempts = before.attempts();
    warnings = before.warnings();
    conditions = before.conditions();
  }

  /** An error message is for states in which something went wrong or is waited for. */
  StatusDraft state(State state, String errorMessage) {
    this.state = new ApplicationState(state, errorMessage, null);
    return this;
  }

  /** Nothing of the next attempt exists yet. */
  StatusDraft waiting(State state, String why, String since) {
    this.state = new ApplicationState(state, why, since);
    return this;
  }

  StatusDraft attempt(String sparkApplicationId, RunInfo run) {
    this.sparkApplicationId = sparkApplicationId;
    this.run = run;
    return this;
  }

  StatusDraft run(RunInfo run) {
    this.run = run;
    return this;
  }

  StatusDraft submitted(int submissions, String at) {
    this.submissions = submissions;
    this.submissionTime = at;
    return this;
  }

  StatusDraft ended(String at) {
    this.terminationTime = at;
    return this;
  }

  StatusDraft due(String at) {
    this.dueTime = at;
    return this;
  }

  StatusDraft driver(DriverInfo driver) {
    this.driver = driver;
    return this;
  }

  StatusDraft shape(ExecutorShapeInfo shape) {
    this.shape = shape;
    return this;
  }

  /** An attempt before its first executor. */
  StatusDraft noExecutors(int wanted) {
    return executors(new Executors(ExecutorObservation.nothing(wanted), List.of()));
  }

  StatusDraft executors(Executors of) {
    counts = of.counts();
    running = RunningSummary.of(of.all());
    executors = of.listed();
    return this;
  }

  /** The newest first. */
  StatusDraft endedAttempt(AttemptInfo attempt) {
    attempts =
        Stream.concat(
                Stream.of(attempt),
                Objects.requireNonNullElse(attempts, List.<AttemptInfo>of()).stream())
            .limit(KEPT_ATTEMPTS)
            .toList();
    return this;
  }

  StatusDraft warnings(Stream<String> warnings) {
    this.warnings =
        warnings
            .map(warning -> ForeignText.line(warning, LONGEST_WARNING))
            .distinct()
            .limit(KEPT_WARNINGS)
            .toList();
    return this;
  }

  StatusDraft conditions(Conditions conditions) {
    this.conditions = conditions.build();
    return this;
  }

  /**
   * An edit without effect is seen, too: whoever waits for a condition waits for one of the newest
   * generation.
   */
  private List<Condition> currentConditions() {
    if (conditions == null) {
      return null;
    }
    Conditions current = new Conditions(conditionsBefore, generation, now);
    conditions.stream()
        .filter(condition -> !Progress.isOne(condition.getType()))
        .forEach(current::addAgain);
    return state == null
        ? current.build()
        : current.addProgress(Progress.of(state.state(), dueTime != null)).build();
  }

  SparkApplicationStatus build() {
    return new SparkApplicationStatus(
        generation,
        state,
        sparkApplicationId,
        run,
        run == null ? null : run.attempt(),
        submissions,
        submissionTime,
        terminationTime,
        dueTime,
        driver,
        shape,
        counts,
        running,
        executors,
        attempts,
        warnings,
        currentConditions());
  }
}
