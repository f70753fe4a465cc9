package io.numaspark.controller.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.profile.ProfilePlanning;
import io.numaspark.controller.profile.ProfilePlanning.Planned;
import io.numaspark.controller.status.ConditionAnnouncements;
import io.numaspark.controller.status.ProfileStatusAssembler;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.ProfileAgents;
import io.numaspark.controller.store.ProfileAgents.ReportedStatus;
import io.numaspark.controller.store.TrialLocks;
import io.numaspark.controller.watch.ProfileWatches;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Plans a profile whenever it, the labels of a node or a topology changes; {@link SlotsReconciler}
 * publishes the slots.
 *
 * <p>It has no finalizer, so that a profile can always be deleted. The numbers of slots in the
 * status follow the board; those in use are in the metrics only, so that executors that come and go
 * cost no write.
 */
@ControllerConfiguration(name = "profile", triggerReconcilerOnAllEvents = true)
public record ProfileReconciler(
    ProfileWatches watches,
    ProfilePlanning planning,
    PlanStore plans,
    TrialLocks trials,
    ProfileAgents agents,
    EventRecorder events,
    Clock clock)
    implements Reconciler<SparkNodeProfile> {
  private static final Duration WHILE_OPERATOR_STARTS = Duration.ofMillis(200);

  @Override
  public List<EventSource<?, SparkNodeProfile>> prepareEventSources(
      EventSourceContext<SparkNodeProfile> context) {
    return watches.prepare(context);
  }

  @Override
  public UpdateControl<SparkNodeProfile> reconcile(
      SparkNodeProfile profile, Context<SparkNodeProfile> context) {
    String name = profile.getMetadata().getName();
    List<SparkNodeProfile> others =
        context
            .getPrimaryCache()
            .list()
            .filter(other -> !other.getMetadata().getName().equals(name))
            .toList();
    if (context.isPrimaryResourceDeleted() || profile.isMarkedForDeletion()) {
      plans.remove(name);
      agents.forget(name);
      reconcile(others);
      watches.trigger().reconcileLater(name);
      return UpdateControl.noUpdate();
    }
    if (!trials.isLoaded()) {
      return UpdateControl.<SparkNodeProfile>noUpdate().rescheduleAfter(WHILE_OPERATOR_STARTS);
    }
    if (!plans.isPlannedAs(profile)) {
      reconcile(others);
    }
    Instant now = clock.instant();
    try {
      SparkNodeProfile effective = trials.effective(profile);
      Planned planned = planning.plan(effective, others, now);
      ReportedStatus reported =
          agents.report(effective, planned.status(), planned.plan(), planned.nodes(), now);
      return Reschedule.at(reported.again(), now, written(profile, reported.status()));
    } catch (IllegalArgumentException e) {
      plans.putInvalid(profile);
      agents.forget(name);
      return written(profile, ProfileStatusAssembler.invalid(profile, e.getMessage(), now));
    }
  }

  /** What one profile selects, another one may get or lose. */
  private void reconcile(List<SparkNodeProfile> others) {
    watches
        .trigger()
        .reconcileEach(others.stream().map(other -> other.getMetadata().getName()).toList());
  }

  private UpdateControl<SparkNodeProfile> written(
      SparkNodeProfile profile, SparkNodeProfileStatus status) {
    events.record(profile, ConditionAnnouncements.ofProfile(profile.getStatus(), status));
    return StatusUpdate.of(profile, new SparkNodeProfile(), status);
  }
}
