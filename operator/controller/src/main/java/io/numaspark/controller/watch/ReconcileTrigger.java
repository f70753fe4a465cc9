package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceAction;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Has cluster-scoped primaries reconciled for the sake of what other parts of the operator
 * computed.
 *
 * <p>They go out as events of the primary itself. The framework drops others of a primary that was
 * deleted, and forgets the creation of one of the same name that comes while the deletion is
 * handled (EventProcessor: getOrCreateOnResourceEvent, cleanupForDeletedEvent); nobody would
 * reconcile that one.
 */
public final class ReconcileTrigger<P extends HasMetadata> extends SimpleInboundEventSource<P> {
  private static final Duration WHEN_DELETION_IS_HANDLED = Duration.ofSeconds(2);

  private final Executor later =
      CompletableFuture.delayedExecutor(WHEN_DELETION_IS_HANDLED.toMillis(), TimeUnit.MILLISECONDS);
  private volatile IndexerResourceCache<P> primaries;

  ReconcileTrigger(String name) {
    super(name);
  }

  /** Itself, once it is known where the primaries are found; before, it drops everything. */
  ReconcileTrigger<P> connected(EventSourceContext<P> context) {
    primaries = context.getPrimaryCache();
    return this;
  }

  /** What happens faster is handled at once. */
  static LinearRateLimiter fourASecond() {
    return new LinearRateLimiter(Duration.ofSeconds(1), 4);
  }

  /** All primaries that exist: for an event of which it is decided later whom it concerns. */
  static Set<ResourceID> every(EventSourceContext<?> context) {
    return context
        .getPrimaryCache()
        .list()
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** Has a primary reconciled, if it exists. */
  public void reconcile(String name) {
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

  /** Has several primaries reconciled, those of them that exist. */
  public void reconcileEach(Collection<String> names) {
    names.forEach(this::reconcile);
  }

  /** Has every primary reconciled. */
  public void reconcileAll() {
    if (isRunning() && primaries != null) {
      primaries.list().forEach(primary -> reconcile(primary.getMetadata().getName()));
    }
  }

  /** Has a primary that was deleted reconciled in a while, if it exists again by then. */
  public void reconcileLater(String name) {
    later.execute(() -> reconcile(name));
  }
}
