package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.text.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Deletes what attempts leave: all of a stopped one, and all but the log of an ended one. */
public record AttemptCleaner(ObjectStore objects) {
  /** Deletes the driver first, because it would replace the executors. */
  public void stop(ApplicationIdentity attempt) {
    delete(new Pod(), attempt, Optional.of(Labels.ROLE_DRIVER));
    delete(new Pod(), attempt, Optional.of(Labels.ROLE_EXECUTOR));
  }

  /**
   * Deletes an executor whose node does not answer. Spark never uses an id again within an attempt,
   * so that no other pod has these labels.
   */
  public void abandon(ApplicationIdentity attempt, Pod executor) {
    String id = executor.getMetadata().getLabels().get(Labels.SPARK_EXECUTOR_ID);
    if (id != null) {
      objects.deletePodsAtOnce(
          attempt.namespace(),
          Map.of(
              Labels.APPLICATION,
              attempt.names().label(),
              Labels.SPARK_APP_SELECTOR,
              attempt.names().sparkAppId(),
              Labels.SPARK_ROLE,
              Labels.ROLE_EXECUTOR,
              Labels.SPARK_EXECUTOR_ID,
              id));
    }
  }

  /**
   * Before an attempt starts: takes away everything of the one before it but the driver pod, which
   * stays for its log, and the driver pod of the one before that. A driver pod whose name the
   * attempt needs goes, too.
   *
   * @param manifests of the attempt that is to start; the earlier one may have had kinds of objects
   *     that are in none of them
   */
  public void makeRoom(SparkApplication application, Manifests manifests) {
    int attempt = ApplicationIdentity.of(application).attempt();
    if (attempt > 1) {
      ApplicationIdentity previous = ApplicationIdentity.of(application, attempt - 1);
      delete(new Pod(), previous, Optional.of(Labels.ROLE_EXECUTOR));
      Map<String, HasMetadata> kinds = new TreeMap<>();
      Stream.concat(
              Stream.of(new Service(), new ConfigMap(), new Ingress(), new PodDisruptionBudget()),
              manifests.others().stream())
          .forEach(object -> kinds.putIfAbsent(object.getKind(), object));
      kinds.values().forEach(kind -> delete(kind, previous, Optional.empty()));
      String driver = manifests.driverPod().getMetadata().getName();
      if (driver.equals(previous.names().driverPod())) {
        delete(new Pod(), previous, Optional.of(Labels.ROLE_DRIVER));
      }
    }
    if (attempt > 2) {
      ApplicationIdentity older = ApplicationIdentity.of(application, attempt - 2);
      delete(new Pod(), older, Optional.of(Labels.ROLE_DRIVER));
    }
  }

  private void delete(HasMetadata kind, ApplicationIdentity attempt, Optional<String> role) {
    Map<String, String> labels = new HashMap<>();
    labels.put(Labels.APPLICATION, attempt.names().label());
    labels.put(Labels.SPARK_APP_SELECTOR, attempt.names().sparkAppId());
    role.ifPresent(name -> labels.put(Labels.SPARK_ROLE, name));
    objects.deleteAll(kind.getApiVersion(), kind.getKind(), attempt.namespace(), labels);
  }
}
