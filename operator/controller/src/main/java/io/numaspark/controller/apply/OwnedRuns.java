package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.text.Labels;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Creates and deletes the SparkApplications of a schedule or a trial, in a way that is safe to
 * repeat.
 *
 * <p>A run that exists already is adopted if it has the same owner.
 */
record OwnedRuns(KubernetesClient client) {
  /** Answers that the same request would get again; all others are tried again. */
  static final Set<Integer> FINAL =
      Set.of(
          HttpURLConnection.HTTP_BAD_REQUEST,
          HttpURLConnection.HTTP_FORBIDDEN,
          HttpURLConnection.HTTP_NOT_FOUND,
          HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
          422);

  /**
   * A run that is to be created.
   *
   * @param label that has the owner's name as its value
   */
  record Run(
      String name, String label, Map<String, String> annotations, SparkApplicationSpec spec) {}

  /** Creates a run; why the API server does not take it, or empty if it exists. */
  Optional<String> create(HasMetadata owner, Run wanted) {
    SparkApplication run = application(owner, wanted);
    try {
      client.resource(run).create();
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return adopt(owner, run, e);
      }
      if (FINAL.contains(e.getCode())) {
        return Optional.of(e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage());
      }
      throw e; // The API server is unwell or busy: the framework retries.
    }
  }

  private Optional<String> adopt(
      HasMetadata owner, SparkApplication run, KubernetesClientException e) {
    SparkApplication existing = client.resource(run).get();
    if (existing == null) {
      throw e; // Deleted in between: the next attempt creates it.
    }
    return OwnedMetadata.isOf(owner, existing)
        ? Optional.empty()
        : Optional.of(
            "SparkApplication %s exists already and belongs to something else; delete it, or give the %s another name"
                .formatted(run.getMetadata().getName(), owner.getKind()));
  }

  /** Deletes a run; one that is gone is not an error. Its driver goes with it. */
  void delete(String namespace, String name) {
    client.resources(SparkApplication.class).inNamespace(namespace).withName(name).delete();
  }

  /** The labels of the owner are passed on, as queues and bills go by them. */
  static SparkApplication application(HasMetadata owner, Run wanted) {
    Map<String, String> labels =
        new HashMap<>(Objects.requireNonNullElse(owner.getMetadata().getLabels(), Map.of()));
    labels.put(wanted.label(), owner.getMetadata().getName());
    labels.put(Labels.MANAGED_BY, Labels.MANAGER);
    SparkApplication run = new SparkApplication();
    run.setMetadata(
        new ObjectMetaBuilder()
            .withName(wanted.name())
            .withNamespace(owner.getMetadata().getNamespace())
            .withLabels(labels)
            .withAnnotations(wanted.annotations())
            .addNewOwnerReference()
            .withApiVersion(owner.getApiVersion())
            .withKind(owner.getKind())
            .withName(owner.getMetadata().getName())
            .withUid(owner.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .build());
    run.setSpec(wanted.spec());
    return run;
  }
}
