package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Objects;

/**
 * Writes a whole status, if it differs from the one that was read.
 *
 * <p>Limit: nothing but the status. A JSON patch would not do: it removes list entries by index, and made from a stale copy it
 * removes the wrong ones.
 */
final class StatusUpdate {
  private StatusUpdate() {}

  /**
   * The update of one object by server-side apply, which the framework does.
   *
   * @param observed the object as it was read
   * @param patch an empty object of the same kind, to be filled with nothing but name and status
   */
  static <S, T, R extends CustomResource<S, T>> UpdateControl<R> of(R observed, R patch, T status) {
    if (Objects.equals(status, observed.getStatus())) {
      return UpdateControl.noUpdate();
    }
    return UpdateControl.patchStatus(filled(observed, patch, status));
  }

  /**
   * Replaces the status at once, and has the next reconciliation begin with what was written: the
   * framework would only learn of it by its watch, and decide once more on the old one.
   *
   * <p>The resource version makes it fail if somebody wrote in between. A step that was decided on
   * an old copy must not be written over a newer one.
   *
   * @param observed the object as it was read
   * @param replacement an empty object of the same kind, to be filled with name, version and status
   */
  static <S, T, R extends CustomResource<S, T>> void replace(
      R observed, R replacement, T status, Context<R> context) {
    if (Objects.equals(status, observed.getStatus())) {
      return;
    }
    filled(observed, replacement, status)
        .getMetadata()
        .setResourceVersion(observed.getMetadata().getResourceVersion());
    R written = context.getClient().resource(replacement).updateStatus();
    context
        .eventSourceRetriever()
        .getControllerEventSource()
        .handleRecentResourceUpdate(ResourceID.fromResource(observed), written, observed);
  }

  private static <S, T, R extends CustomResource<S, T>> R filled(R observed, R empty, T status) {
    empty.setMetadata(
        new ObjectMetaBuilder()
            .withName(observed.getMetadata().getName())
            .withNamespace(observed.getMetadata().getNamespace())
            .build());
    empty.setSpec(null);
    empty.setStatus(status);
    return empty;
  }
}
