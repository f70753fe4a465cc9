package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.numaspark.render.scheduling.PodGroupApi;
import java.util.Optional;

/**
 * Which version of a batch scheduler's PodGroup the API server serves, as it is now: a scheduler
 * that is installed later needs no restart of the operator.
 *
 * <p>Limit: an API without its scheduler looks the same; its pods then wait, or start one by one.
 */
public record ServedPodGroups(KubernetesClient client) {

  /** Group and version, the newest that both sides know. */
  public Optional<String> apiVersion(PodGroupApi api) {
    return api.apiVersions().stream().filter(this::isServed).findFirst();
  }

  private boolean isServed(String apiVersion) {
    APIResourceList resources = client.getApiResources(apiVersion);
    return resources != null
        && resources.getResources().stream()
            .anyMatch(resource -> PodGroupApi.KIND.equals(resource.getKind()));
  }
}
