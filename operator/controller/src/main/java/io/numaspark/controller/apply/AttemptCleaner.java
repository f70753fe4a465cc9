package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.Labels;
import io.numaspark.render.application.ApplicationIdentity;
import java.util.List;
import java.util.Map;

/** Deletes what attempts leave: all of a stopped one, and all but the log of an ended one. */
public final class AttemptCleaner {
  private static final List<Class<? extends HasMetadata>> SUPPLIES =
      List.of(Service.class, ConfigMap.class, Ingress.class, PodDisruptionBudget.class);

  private final ObjectStore objects;

  public AttemptCleaner(ObjectStore objects) {
    this.objects = objects;
  }

  /** Deletes the driver first, because it would replace the executors. */
  public void stop(ApplicationIdentity attempt) {
    deletePods(attempt, Labels.ROLE_DRIVER);
    deletePods(attempt, Labels.ROLE_EXECUTOR);
  }

  /**
   * Before an attempt starts: takes away the executors, Service and configuration of the one before
   * it, whose driver pod stays for its log, and the driver pod of the one before that.
   */
  public void makeRoom(SparkApplication application, int attempt) {
    if (attempt > 1) {
      ApplicationIdentity previous = ApplicationIdentity.of(application, attempt - 1);
      deletePods(previous, Labels.ROLE_EXECUTOR);
      SUPPLIES.forEach(kind -> objects.deleteAll(kind, previous.namespace(), labels(previous)));
    }
    if (attempt > 2) {
      deletePods(ApplicationIdentity.of(application, attempt - 2), Labels.ROLE_DRIVER);
    }
  }

  private void deletePods(ApplicationIdentity attempt, String role) {
    objects.deleteAll(
        Pod.class,
        attempt.namespace(),
        Map.of(
            Labels.APPLICATION,
            attempt.names().label(),
            Labels.SPARK_APP_SELECTOR,
            attempt.names().sparkAppId(),
            Labels.SPARK_ROLE,
            role));
  }

  private static Map<String, String> labels(ApplicationIdentity attempt) {
    return Map.of(
        Labels.APPLICATION,
        attempt.names().label(),
        Labels.SPARK_APP_SELECTOR,
        attempt.names().sparkAppId());
  }
}
