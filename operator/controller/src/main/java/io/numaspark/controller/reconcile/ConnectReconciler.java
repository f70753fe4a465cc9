package io.numaspark.controller.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkConnectStatus;
import io.numaspark.api.v1alpha1.SparkConnectStatus.State;
import io.numaspark.controller.apply.ConnectObjects;
import io.numaspark.controller.apply.ConnectObjects.Held;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.status.ConditionAnnouncements;
import io.numaspark.controller.status.ConnectStatusAssembler;
import io.numaspark.controller.watch.ConnectWatches;
import io.numaspark.render.application.Grants;
import io.numaspark.render.connect.ConnectApplication;
import io.numaspark.render.connect.ConnectService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps the application and the Service of a SparkConnect as its spec says, and shows what became
 * of the server.
 *
 * <p>It has no finalizer: owner references delete both. The server's life is the application
 * controller's affair.
 */
@ControllerConfiguration(name = "connect")
public record ConnectReconciler(
    ConnectWatches watches,
    ConnectObjects objects,
    Grants grants,
    EventRecorder events,
    Clock clock)
    implements Reconciler<SparkConnect> {
  /** A quota may be raised, and an object of somebody else deleted, without an event here. */
  private static final Duration WHILE_REFUSED = Duration.ofSeconds(30);

  @Override
  public List<EventSource<?, SparkConnect>> prepareEventSources(
      EventSourceContext<SparkConnect> context) {
    return watches.prepare(context);
  }

  @Override
  public UpdateControl<SparkConnect> reconcile(
      SparkConnect connect, Context<SparkConnect> context) {
    if (connect.isMarkedForDeletion()) {
      return UpdateControl.noUpdate();
    }
    ConnectStatusAssembler assembler = new ConnectStatusAssembler(connect, clock.instant());
    SparkConnectStatus status = kept(connect, assembler);
    Duration delay = assembler.delay(status);
    if (!delay.isZero()) {
      return UpdateControl.<SparkConnect>noUpdate().rescheduleAfter(delay);
    }
    events.record(connect, ConditionAnnouncements.ofConnect(connect.getStatus(), status));
    UpdateControl<SparkConnect> control = StatusUpdate.of(connect, new SparkConnect(), status);
    return status.state() == State.Failed ? control.rescheduleAfter(WHILE_REFUSED) : control;
  }

  private SparkConnectStatus kept(SparkConnect connect, ConnectStatusAssembler assembler) {
    SparkApplicationSpec spec;
    try {
      spec = ConnectApplication.spec(connect);
    } catch (IllegalArgumentException e) {
      return assembler.refused(e.getMessage());
    }
    Optional<SparkApplication> known = watches.application(connect);
    if (known.filter(SparkApplication::isMarkedForDeletion).isPresent()) {
      return assembler.replacing();
    }
    Optional<String> refusal =
        ConnectService.refusal(connect, grants)
            .or(() -> objects.service(connect, watches.service(connect), isNew(connect)));
    if (refusal.isPresent()) {
      return assembler.refused(refusal.get());
    }
    Held held = objects.application(connect, spec, known);
    return held instanceof Held.Kept kept
        ? assembler.following(kept.application(), watches.driver(kept.application()))
        : assembler.refused(((Held.Refused) held).message());
  }

  private static boolean isNew(SparkConnect connect) {
    return connect.getStatus() == null
        || !Objects.equals(
            connect.getStatus().observedGeneration(), connect.getMetadata().getGeneration());
  }
}
