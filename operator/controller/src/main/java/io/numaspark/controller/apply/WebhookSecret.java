package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.controller.certificate.SecretStore;
import io.numaspark.render.text.Labels;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;

/**
 * The Secret of the webhook's certificates.
 *
 * <p>Limit: of a Secret that exists, type, labels, annotations and other values stay as they are.
 *
 * @param secret its name
 */
public record WebhookSecret(KubernetesClient client, String namespace, String secret)
    implements SecretStore {
  private static final String TYPE = "kubernetes.io/tls";

  @Override
  public String name() {
    return namespace + "/" + secret;
  }

  @Override
  public Optional<Secret> read() {
    return Optional.ofNullable(client.secrets().inNamespace(namespace).withName(secret).get());
  }

  /** The resource version of what was read makes a second replica's write fail. */
  @Override
  public boolean write(Optional<Secret> read, Map<String, String> data) {
    try {
      if (read.isEmpty()) {
        client.resource(created(data)).create();
      } else {
        client.resource(new SecretBuilder(read.get()).addToData(data).build()).update();
      }
      return true;
    } catch (KubernetesClientException e) {
      boolean isGone = read.isPresent() && e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT || isGone) {
        return false;
      }
      throw e;
    }
  }

  private Secret created(Map<String, String> data) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(secret)
        .addToLabels(Labels.MANAGED_BY, Labels.MANAGER)
        .endMetadata()
        .withType(TYPE)
        .withData(data)
        .build();
  }
}
