package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Driver pods as the API server has them now, for when a cache may lag behind our own write. */
public final class DriverPods {
  private final KubernetesClient client;

  public DriverPods(KubernetesClient client) {
    this.client = client;
  }

  /** The pod of this name, whoever owns it. */
  public Optional<Pod> find(String namespace, String name) {
    return Optional.ofNullable(client.pods().inNamespace(namespace).withName(name).get());
  }
}
