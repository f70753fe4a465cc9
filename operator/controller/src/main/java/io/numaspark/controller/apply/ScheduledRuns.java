package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.text.Labels;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Creates and deletes the SparkApplications of a schedule, in a way that is safe to repeat.
 *
 * <p>A run that exists already is adopted if the schedule owns it.
 */
public record ScheduledRuns(KubernetesClient client) {
  /** Answers that the same request would get again; all others are tried again. */
  private static final Set<Integer> FINAL =
      Set.of(
          HttpURLConnection.HTTP_BAD_REQUEST,
          HttpURLConnection.HTTP_FORBIDDEN,
          HttpURLConnection.HTTP_NOT_FOUND,
          HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
          422);

  /** Creates the run of a time; why the API server does not take it, or empty if it exists. */
  public Optional<String> create(ScheduledSparkApplication schedule, String name, Instant time) {
    SparkApplication run = run(schedule, name, time);
    try {
      client.resource(run).create();
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return adopt(schedule, run, e);
      }
      if (FINAL.contains(e.getCode())) {
        return Optional.of(e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage());
      }
      throw e; // The API server is unwell or busy: the framework retries.
    }
  }

  private Optional<String> adopt(
      ScheduledSparkApplication schedule, SparkApplication run, KubernetesClientException e) {
    SparkApplication existing = client.resource(run).get();
    if (existing == null) {
      throw e; // Deleted in between: the next attempt creates it.
    }
    String name = run.getMetadata().getName();
    return existing.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> schedule.getMetadata().getUid().equals(owner.getUid()))
        ? Optional.empty()
        : Optional.of(
            "SparkApplication "
                + name
                + " exists already and belongs to something else; delete it, or give the schedule"
                + " another name");
  }

  /** Deletes a run; one that is gone is not an error. Its driver goes with it. */
  public void delete(String namespace, String name) {
    client.resources(SparkApplication.class).inNamespace(namespace).withName(name).delete();
  }

  /** The labels of the schedule are passed on, as queues and bills go by them. */
  private static SparkApplication run(
      ScheduledSparkApplication schedule, String name, Instant time) {
    Map<String, String> labels =
        new HashMap<>(Objects.requireNonNullElse(schedule.getMetadata().getLabels(), Map.of()));
    labels.put(Labels.SCHEDULE, schedule.getMetadata().getName());
    labels.put(Labels.MANAGED_BY, Labels.MANAGER);
    SparkApplication run = new SparkApplication();
    run.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace(schedule.getMetadata().getNamespace())
            .withLabels(labels)
            .addToAnnotations(Labels.SCHEDULED_TIME, time.toString())
            .addNewOwnerReference()
            .withApiVersion(ApiGroup.NAME + "/" + ApiGroup.VERSION)
            .withKind("ScheduledSparkApplication")
            .withName(schedule.getMetadata().getName())
            .withUid(schedule.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .build());
    run.setSpec(schedule.getSpec().template());
    return run;
  }
}
