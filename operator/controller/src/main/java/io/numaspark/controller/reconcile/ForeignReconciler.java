package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.status.ForeignAnnouncement;
import io.numaspark.controller.store.SaidOnce;
import io.numaspark.controller.watch.ForeignWatches;
import io.numaspark.render.text.Labels;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/**
 * Announces which executors of others got no slot, in the namespaces that are opted in.
 *
 * <p>It writes nothing but events: what numaspark did not create, it neither changes nor deletes.
 */
@ControllerConfiguration(
    name = "foreign",
    generationAwareEventProcessing = false,
    triggerReconcilerOnAllEvents = true)
public record ForeignReconciler(
    ForeignWatches watches, SaidOnce said, EventRecorder events, Clock clock)
    implements Reconciler<Namespace> {

  @Override
  public List<EventSource<?, Namespace>> prepareEventSources(
      EventSourceContext<Namespace> context) {
    return watches.prepare(context);
  }

  @Override
  public UpdateControl<Namespace> reconcile(Namespace namespace, Context<Namespace> context) {
    String name = namespace.getMetadata().getName();
    if (context.isPrimaryResourceDeleted()) {
      said.forget(name);
      return UpdateControl.noUpdate();
    }
    Instant now = clock.instant();
    Instant optedIn = said.optedIn(name, now);
    String profile = namespace.getMetadata().getLabels().get(Labels.INJECT);
    for (Pod pod : watches.executors(namespace)) {
      ForeignAnnouncement.of(pod, profile, optedIn, now)
          .filter(said::isNew)
          .ifPresent(news -> events.record(pod, news.announcement()));
    }
    return UpdateControl.noUpdate();
  }
}
