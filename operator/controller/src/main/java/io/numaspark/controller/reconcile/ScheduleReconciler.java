package io.numaspark.controller.reconcile;

import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.ScheduledSparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.apply.ScheduledRuns;
import io.numaspark.controller.status.ConditionAnnouncements;
import io.numaspark.controller.status.ScheduleDecision;
import io.numaspark.controller.status.ScheduleDecision.Start;
import io.numaspark.controller.status.ScheduleLifecycle;
import io.numaspark.controller.status.ScheduleStatusAssembler;
import io.numaspark.controller.status.ScheduledRun;
import io.numaspark.render.text.Labels;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Follows a schedule: creates the run of each time, and deletes what the history limits and the
 * concurrency policy say.
 *
 * <p>A run is created before the status says so; its name, which follows from its time, makes a
 * repetition after a crash find it. Its life is the application controller's affair.
 */
@ControllerConfiguration(name = "schedule")
public record ScheduleReconciler(ScheduledRuns scheduledRuns, EventRecorder events, Clock clock)
    implements Reconciler<ScheduledSparkApplication> {
  /** Timers do not notice that the clock was set. */
  private static final Duration LONGEST_SLEEP = Duration.ofMinutes(10);

  private static final Duration SHORTEST_SLEEP = Duration.ofMillis(1);

  @Override
  public List<EventSource<?, ScheduledSparkApplication>> prepareEventSources(
      EventSourceContext<ScheduledSparkApplication> context) {
    return List.of(
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(
                    SparkApplication.class, ScheduledSparkApplication.class)
                .withName("runs")
                .withLabelSelector(Labels.SCHEDULE)
                .withNamespacesInheritedFromController()
                .withSecondaryToPrimaryMapper(
                    Mappers.fromOwnerReferences(ScheduledSparkApplication.class))
                .build(),
            context));
  }

  @Override
  public UpdateControl<ScheduledSparkApplication> reconcile(
      ScheduledSparkApplication schedule, Context<ScheduledSparkApplication> context) {
    if (schedule.isMarkedForDeletion()) {
      return UpdateControl.noUpdate();
    }
    Instant now = clock.instant();
    List<ScheduledRun> runs = runs(schedule, context);
    ScheduleDecision decision = new ScheduleLifecycle(schedule, now).decide(runs);
    ScheduleStatusAssembler assembler = new ScheduleStatusAssembler(schedule, decision, now);
    ScheduledSparkApplicationStatus status =
        decision
            .start()
            .map(start -> start(schedule, start, runs, assembler))
            .orElseGet(() -> assembler.waiting(runs));
    delete(schedule, decision.expired());
    events.record(schedule, ConditionAnnouncements.ofSchedule(schedule.getStatus(), status));
    UpdateControl<ScheduledSparkApplication> control =
        StatusUpdate.of(schedule, new ScheduledSparkApplication(), status);
    return decision.next().map(next -> control.rescheduleAfter(sleep(next))).orElse(control);
  }

  private ScheduledSparkApplicationStatus start(
      ScheduledSparkApplication schedule,
      Start start,
      List<ScheduledRun> runs,
      ScheduleStatusAssembler assembler) {
    Optional<String> refusal = scheduledRuns.create(schedule, start.name(), start.time());
    if (refusal.isPresent()) {
      return assembler.refused(runs, start, refusal.get());
    }
    // After the creation, as a run that the API server refuses replaces nothing.
    delete(schedule, start.replaces());
    return assembler.started(runs, start);
  }

  private void delete(ScheduledSparkApplication schedule, List<String> names) {
    names.forEach(name -> scheduledRuns.delete(schedule.getMetadata().getNamespace(), name));
  }

  private Duration sleep(Instant next) {
    Duration left = Duration.between(clock.instant(), next);
    if (left.compareTo(SHORTEST_SLEEP) < 0) {
      return SHORTEST_SLEEP;
    }
    // Rounded up, as a timer that is early by less than a millisecond would find nothing due.
    return left.compareTo(LONGEST_SLEEP) > 0 ? LONGEST_SLEEP : left.plusMillis(1);
  }

  private static List<ScheduledRun> runs(
      ScheduledSparkApplication schedule, Context<ScheduledSparkApplication> context) {
    String uid = schedule.getMetadata().getUid();
    return context
        .getSecondaryResourcesAsStream(SparkApplication.class)
        .filter(run -> !run.isMarkedForDeletion())
        .filter(
            run ->
                run.getMetadata().getOwnerReferences().stream()
                    .anyMatch(owner -> uid.equals(owner.getUid())))
        .map(ScheduledRun::of)
        .toList();
  }
}
