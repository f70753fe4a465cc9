package io.numaspark.controller.certificate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The JSON patch that makes each caBundle of a configuration what it should be, and touches nothing
 * else.
 *
 * <p>Limit: it is for the version that was read, which the patch tests: a replica that read an old
 * Secret cannot write its bundle over a newer one.
 */
final class BundlePatch {
  private BundlePatch() {}

  /**
   * The patch.
   *
   * @param caBundle in base64
   * @return empty if all are equal
   */
  static Optional<String> of(MutatingWebhookConfiguration configuration, String caBundle) {
    List<MutatingWebhook> webhooks =
        Objects.requireNonNullElse(configuration.getWebhooks(), List.of());
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < webhooks.size(); i++) {
      if (!caBundle.equals(webhooks.get(i).getClientConfig().getCaBundle())) {
        operations
            .addObject()
            .put("op", "add")
            .put("path", "/webhooks/" + i + "/clientConfig/caBundle")
            .put("value", caBundle);
      }
    }
    if (operations.isEmpty()) {
      return Optional.empty();
    }
    operations
        .insertObject(0)
        .put("op", "test")
        .put("path", "/metadata/resourceVersion")
        .put("value", configuration.getMetadata().getResourceVersion());
    return Optional.of(operations.toString());
  }
}
