package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.Objects;

/**
 * Writes a whole status by server-side apply, if it differs from the one that was read.
 *
 * <p>A JSON patch would not do: it removes list entries by index, and made from a stale copy it
 * removes the wrong ones.
 */
final class StatusUpdate {
  private StatusUpdate() {}

  /**
   * The update of one object.
   *
   * @param observed the object as it was read
   * @param patch an empty object of the same kind, to be filled with nothing but name and status
   */
  static <S, T, R extends CustomResource<S, T>> UpdateControl<R> of(R observed, R patch, T status) {
    if (Objects.equals(status, observed.getStatus())) {
      return UpdateControl.noUpdate();
    }
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(observed.getMetadata().getName())
            .withNamespace(observed.getMetadata().getNamespace())
            .build());
    patch.setSpec(null);
    patch.setStatus(status);
    return UpdateControl.patchStatus(patch);
  }
}
