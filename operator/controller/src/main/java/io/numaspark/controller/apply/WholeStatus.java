package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * Replaces a status whole, in an object without the spec, which the status subresource leaves as it
 * is.
 *
 * <p>The resource version makes it fail if somebody wrote in between: what was decided on an old
 * copy must not be written over a newer one.
 */
final class WholeStatus {
  private WholeStatus() {}

  /**
   * Writes a status and returns the object as it is then.
   *
   * @param read the object as it was read
   * @param replacement an empty object of the same kind, to be filled
   */
  static <S, T, R extends CustomResource<S, T>> R replace(
      KubernetesClient client, R read, R replacement, T status) {
    replacement.setMetadata(
        new ObjectMetaBuilder()
            .withName(read.getMetadata().getName())
            .withNamespace(read.getMetadata().getNamespace())
            .withResourceVersion(read.getMetadata().getResourceVersion())
            .build());
    replacement.setSpec(null);
    replacement.setStatus(status);
    return client.resource(replacement).updateStatus();
  }
}
