package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.controller.certificate.ConfigurationStore;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration that sends pods to the webhook.
 *
 * <p>Limit: it is never created, deleted or replaced, only patched.
 */
public record WebhookConfiguration(KubernetesClient client, String name)
    implements ConfigurationStore {
  private static final PatchContext JSON = PatchContext.of(PatchType.JSON);

  /** A test of the patch that fails is an entity that cannot be processed. */
  private static final Set<Integer> CHANGED =
      Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT, 422);

  @Override
  public Optional<MutatingWebhookConfiguration> read() {
    return Optional.ofNullable(configuration().get());
  }

  @Override
  public Optional<String> patch(String patch) {
    try {
      configuration().patch(JSON, patch);
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (CHANGED.contains(e.getCode())) {
        return Optional.of(
            e.getStatus() == null ? "code " + e.getCode() : e.getStatus().getMessage());
      }
      throw e;
    }
  }

  private Resource<MutatingWebhookConfiguration> configuration() {
    return client.admissionRegistration().v1().mutatingWebhookConfigurations().withName(name);
  }
}
