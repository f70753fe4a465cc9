package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import java.util.Map;
import java.util.Optional;

/**
 * The API server as applications need it: each call is one request, and whatever it writes is there
 * or is not.
 *
 * <p>All throw {@link KubernetesClientException} when the API server refuses or does not answer.
 */
public interface ObjectStore {

  /** Creates an object; code 409 if one of its name exists. */
  HasMetadata create(HasMetadata wanted);

  /** The object of this kind, namespace and name. */
  Optional<HasMetadata> find(HasMetadata like);

  /** Deletes an object; one that is gone already is fine. */
  void delete(HasMetadata object);

  /** Deletes all objects of a kind that carry these labels; a kind that is unknown has none. */
  void deleteAll(String apiVersion, String kind, String namespace, Map<String, String> labels);

  /** Deletes all pods that carry these labels, without waiting for their kubelets. */
  void deletePodsAtOnce(String namespace, Map<String, String> labels);

  /**
   * Replaces the status of an application as it was read; code 409 if it was changed since.
   *
   * @return the application as it is now
   */
  SparkApplication writeStatus(SparkApplication read, SparkApplicationStatus status);

  /** Deletes an application as it was read; code 409 if it was changed since. */
  void deleteApplication(SparkApplication read);
}
