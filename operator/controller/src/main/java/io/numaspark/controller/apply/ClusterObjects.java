package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;

/** The objects of a cluster. */
public final class ClusterObjects implements ObjectStore {
  private static final PatchContext APPLY =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager("numaspark")
          .withForce(true)
          .build();

  private final KubernetesClient client;

  public ClusterObjects(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public HasMetadata create(HasMetadata wanted) {
    return client.resource(wanted).create();
  }

  @Override
  public Optional<HasMetadata> find(HasMetadata like) {
    return Optional.ofNullable(client.resource(like).get());
  }

  @Override
  public void delete(HasMetadata object) {
    client.resource(object).delete();
  }

  @Override
  public void deleteAll(
      String apiVersion, String kind, String namespace, Map<String, String> labels) {
    try {
      client
          .genericKubernetesResources(apiVersion, kind)
          .inNamespace(namespace)
          .withLabels(labels)
          .delete();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw e;
      }
    }
  }

  /**
   * By server-side apply, whole. The resource version makes it fail if somebody wrote in between:
   * what was decided on an old copy must not be written over a newer one.
   */
  @Override
  public SparkApplication writeStatus(SparkApplication read, SparkApplicationStatus status) {
    SparkApplication patch = new SparkApplication();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(read.getMetadata().getName())
            .withNamespace(read.getMetadata().getNamespace())
            .withResourceVersion(read.getMetadata().getResourceVersion())
            .build());
    patch.setSpec(null);
    patch.setStatus(status);
    return client.resource(patch).subresource("status").patch(APPLY);
  }

  @Override
  public void deleteApplication(SparkApplication read) {
    client.resource(read).lockResourceVersion(read.getMetadata().getResourceVersion()).delete();
  }
}
