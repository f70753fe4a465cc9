package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Which kinds the API server serves. Limit: it is asked each time. */
public record ServedKinds(KubernetesClient client) {

  /**
   * Whether it serves a kind.
   *
   * @param apiVersion group and version
   */
  public boolean has(String apiVersion, String kind) {
    APIResourceList resources = client.getApiResources(apiVersion);
    return resources != null
        && resources.getResources().stream().anyMatch(resource -> kind.equals(resource.getKind()));
  }
}
