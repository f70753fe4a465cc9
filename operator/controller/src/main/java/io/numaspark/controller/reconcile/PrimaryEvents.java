package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceAction;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Events by which one part of the operator has a cluster-scoped primary looked at by another.
 *
 * <p>They go out as events of the primary itself. The framework drops others of a primary that was
 * deleted, and forgets the creation of one of the same name that comes while the deletion is
 * handled (EventProcessor: getOrCreateOnResourceEvent, cleanupForDeletedEvent); nobody would look
 * at that one again.
 */
final class PrimaryEvents<P extends HasMetadata> extends SimpleInboundEventSource<P> {
  private static final Duration WHEN_DELETION_IS_HANDLED = Duration.ofSeconds(2);

  private final Executor later =
      CompletableFuture.delayedExecutor(WHEN_DELETION_IS_HANDLED.toMillis(), TimeUnit.MILLISECONDS);
  private volatile IndexerResourceCache<P> primaries;

  PrimaryEvents(String name) {
    super(name);
  }

  /** Says where the primaries are found; without it there are no events. */
  void connect(EventSourceContext<P> context) {
    primaries = context.getPrimaryCache();
  }

  /** Has a primary looked at, if it exists. */
  void lookAt(String name) {
    ResourceID id = new ResourceID(name);
    if (isRunning() && primaries != null) {
      primaries
          .get(id)
          .ifPresent(
              primary ->
                  getEventHandler()
                      .handleEvent(new ResourceEvent(ResourceAction.UPDATED, id, primary)));
    }
  }

  /** Has every primary looked at. */
  void lookAtAll() {
    if (isRunning() && primaries != null) {
      primaries.list().forEach(primary -> lookAt(primary.getMetadata().getName()));
    }
  }

  /** Has a primary that was deleted looked at in a while, if it exists again by then. */
  void lookAgainAt(String name) {
    later.execute(() -> lookAt(name));
  }
}
