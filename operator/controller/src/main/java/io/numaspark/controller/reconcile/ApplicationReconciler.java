package io.numaspark.controller.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.controller.application.ApplicationFlow;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.apply.ObjectStore;
import io.numaspark.controller.metrics.StartMetrics;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.watch.ApplicationWatches;
import java.time.Clock;
import java.util.List;

/**
 * Brings the events of applications, their pods and their profiles to {@link ApplicationFlow}, and
 * keeps the framework's cache up with the statuses that it writes.
 *
 * <p>It has no finalizer: owner references delete what was created.
 */
@ControllerConfiguration(name = "application")
public record ApplicationReconciler(
    ApplicationWatches watches,
    ApplicationFlow flow,
    ObjectStore objects,
    StartMetrics starts,
    EventRecorder events,
    Clock clock)
    implements Reconciler<SparkApplication> {

  @Override
  public List<EventSource<?, SparkApplication>> prepareEventSources(
      EventSourceContext<SparkApplication> context) {
    return watches.prepare(context);
  }

  @Override
  public UpdateControl<SparkApplication> reconcile(
      SparkApplication application, Context<SparkApplication> context) {
    UpdateControl<SparkApplication> control = UpdateControl.noUpdate();
    flow.advance(application, (read, status) -> write(read, status, context), clock.instant())
        .ifPresent(control::rescheduleAfter);
    return control;
  }

  /** The framework would only learn of the new status by its watch, and decide on the old one. */
  private SparkApplication write(
      SparkApplication read, SparkApplicationStatus status, Context<SparkApplication> context) {
    SparkApplication written = objects.writeStatus(read, status);
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .handleRecentResourceUpdate(ResourceID.fromResource(read), written, read);
    starts.changed(written, read.getStatus(), clock.instant());
    events.record(written, Announcement.of(read.getStatus(), written.getStatus()));
    return written;
  }
}
