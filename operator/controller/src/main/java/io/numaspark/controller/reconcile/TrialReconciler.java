package io.numaspark.controller.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialStatus;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.status.ConditionAnnouncements;
import io.numaspark.controller.trial.TrialFlow;
import io.numaspark.controller.trial.TrialFlow.Advanced;
import io.numaspark.controller.watch.TrialWatches;
import java.time.Clock;
import java.util.List;

/**
 * Runs the SparkApplications of a trial in turn, and has its profile planned as each needs it.
 *
 * <p>It has no finalizer: owner references delete the runs, and the lock is held in memory and in
 * the status.
 */
@ControllerConfiguration(name = "trial")
public record TrialReconciler(
    TrialWatches watches, TrialFlow flow, EventRecorder events, Clock clock)
    implements Reconciler<SparkTrial> {

  @Override
  public List<EventSource<?, SparkTrial>> prepareEventSources(
      EventSourceContext<SparkTrial> context) {
    return watches.prepare(context);
  }

  @Override
  public UpdateControl<SparkTrial> reconcile(SparkTrial trial, Context<SparkTrial> context) {
    if (trial.isMarkedForDeletion()) {
      flow.forget(trial);
      return UpdateControl.noUpdate();
    }
    Advanced advanced = flow.advance(trial, clock.instant());
    write(trial, advanced.status(), context);
    events.record(trial, ConditionAnnouncements.ofTrial(trial.getStatus(), advanced.status()));
    UpdateControl<SparkTrial> control = UpdateControl.noUpdate();
    return advanced.again().isZero() ? control : control.rescheduleAfter(advanced.again());
  }

  /** The framework would only learn of the new status by its watch, and decide on the old one. */
  private void write(SparkTrial trial, SparkTrialStatus status, Context<SparkTrial> context) {
    if (!status.equals(trial.getStatus())) {
      context
          .eventSourceRetriever()
          .getControllerEventSource()
          .handleRecentResourceUpdate(
              ResourceID.fromResource(trial), flow.runs().writeStatus(trial, status), trial);
    }
  }
}
