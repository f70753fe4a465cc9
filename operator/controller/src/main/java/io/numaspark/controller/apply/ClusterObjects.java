package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;

/** The objects of a cluster. */
public record ClusterObjects(KubernetesClient client) implements ObjectStore {
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

  @Override
  public void deletePodsAtOnce(String namespace, Map<String, String> labels) {
    client.pods().inNamespace(namespace).withLabels(labels).withGracePeriod(0).delete();
  }

  @Override
  public SparkApplication writeStatus(SparkApplication read, SparkApplicationStatus status) {
    return WholeStatus.replace(client, read, new SparkApplication(), status);
  }

  @Override
  public void deleteApplication(SparkApplication read) {
    client.resource(read).lockResourceVersion(read.getMetadata().getResourceVersion()).delete();
  }
}
