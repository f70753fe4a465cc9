package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.render.text.Labels;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Creates and deletes the SparkApplications of a trial, in a way that is safe to repeat.
 *
 * <p>A run that exists already is adopted if the trial owns it.
 */
public record TrialRuns(KubernetesClient client) {
  /** Answers that the same request would get again; all others are tried again. */
  private static final Set<Integer> FINAL =
      Set.of(
          HttpURLConnection.HTTP_BAD_REQUEST,
          HttpURLConnection.HTTP_FORBIDDEN,
          HttpURLConnection.HTTP_NOT_FOUND,
          HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
          422);

  /** Creates a run; why the API server does not take it, or empty if it exists. */
  public Optional<String> create(
      SparkTrial trial, String name, String arm, SparkApplicationSpec spec) {
    SparkApplication run = run(trial, name, arm, spec);
    try {
      client.resource(run).create();
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return adopt(trial, run, e);
      }
      if (FINAL.contains(e.getCode())) {
        return Optional.of(e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage());
      }
      throw e; // The API server is unwell or busy: the framework retries.
    }
  }

  private Optional<String> adopt(
      SparkTrial trial, SparkApplication run, KubernetesClientException e) {
    SparkApplication existing = client.resource(run).get();
    if (existing == null) {
      throw e; // Deleted in between: the next attempt creates it.
    }
    return existing.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> trial.getMetadata().getUid().equals(owner.getUid()))
        ? Optional.empty()
        : Optional.of(
            "SparkApplication %s exists already and belongs to something else; delete it, or give the trial another name"
                .formatted(run.getMetadata().getName()));
  }

  /** Deletes a run; one that is gone is not an error. Its driver goes with it. */
  public void delete(SparkApplication run) {
    client.resource(run).delete();
  }

  /** Deletes a trial as it was read, with its result. */
  public void delete(SparkTrial trial) {
    client.resource(trial).lockResourceVersion(trial.getMetadata().getResourceVersion()).delete();
  }

  /** The labels of the trial are passed on, as queues and bills go by them. */
  private static SparkApplication run(
      SparkTrial trial, String name, String arm, SparkApplicationSpec spec) {
    Map<String, String> labels =
        new HashMap<>(Objects.requireNonNullElse(trial.getMetadata().getLabels(), Map.of()));
    labels.put(Labels.TRIAL, trial.getMetadata().getName());
    labels.put(Labels.MANAGED_BY, Labels.MANAGER);
    SparkApplication run = new SparkApplication();
    run.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace(trial.getMetadata().getNamespace())
            .withLabels(labels)
            .addToAnnotations(Labels.TRIAL_ARM, arm)
            .addNewOwnerReference()
            .withApiVersion(ApiGroup.NAME + "/" + ApiGroup.VERSION)
            .withKind("SparkTrial")
            .withName(trial.getMetadata().getName())
            .withUid(trial.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .build());
    run.setSpec(spec);
    return run;
  }
}
