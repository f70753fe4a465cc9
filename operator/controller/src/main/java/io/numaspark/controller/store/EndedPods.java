package io.numaspark.controller.store;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.controller.status.ExecutorObservation;
import io.numaspark.render.text.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pods of attempts as they were last seen when they had ended: executors that failed, until their
 * application has counted them, and the driver that has ended or is being deleted. Spark deletes
 * the pod of a failed executor at once, and a busy operator may look only when a pod is gone.
 *
 * <p>Limit: what happens while no watch is open is not seen.
 */
public final class EndedPods {
  private final Map<String, Map<String, Pod>> executors = new ConcurrentHashMap<>();
  private final Map<String, Pod> drivers = new ConcurrentHashMap<>();

  /**
   * Every version of every pod with the labels of an application is shown to it.
   *
   * @param application whose attempt is followed
   */
  public void see(SparkApplication application, Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    String attempt =
        key(pod.getMetadata().getNamespace(), application.getStatus().sparkApplicationId());
    if (Labels.ROLE_EXECUTOR.equals(labels.get(Labels.SPARK_ROLE))
        && ExecutorObservation.isFailed(pod)) {
      executors
          .computeIfAbsent(attempt, id -> new ConcurrentHashMap<>())
          .put(pod.getMetadata().getName(), pod);
    }
    if (isDriver(application, pod)
        && (pod.getMetadata().getDeletionTimestamp() != null || BoundPods.hasEnded(pod))) {
      drivers.put(attempt, pod);
    }
  }

  /** Labels can be given to any pod; the name, the owner and, once it was seen, the UID decide. */
  private static boolean isDriver(SparkApplication application, Pod pod) {
    DriverInfo known = application.getStatus().driverInfo();
    return known != null
        && pod.getMetadata().getName().equals(known.podName())
        && (known.podUid() == null || known.podUid().equals(pod.getMetadata().getUid()))
        && pod.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> application.getMetadata().getUid().equals(owner.getUid()));
  }

  /** The failed executors of an attempt that are not counted yet. */
  public List<Pod> failedExecutors(String namespace, String sparkAppId) {
    return List.copyOf(executors.getOrDefault(key(namespace, sparkAppId), Map.of()).values());
  }

  /** The driver pod of an attempt as it was last seen ended or ending. */
  public Optional<Pod> driver(String namespace, String sparkAppId) {
    return Optional.ofNullable(drivers.get(key(namespace, sparkAppId)));
  }

  /** Forgets executors that a status has counted. */
  public void counted(String namespace, String sparkAppId, List<Pod> pods) {
    executors.computeIfPresent(
        key(namespace, sparkAppId),
        (key, kept) -> {
          pods.forEach(pod -> kept.remove(pod.getMetadata().getName()));
          return kept.isEmpty() ? null : kept;
        });
  }

  /** Forgets all of an attempt. */
  public void forget(String namespace, String sparkAppId) {
    executors.remove(key(namespace, sparkAppId));
    drivers.remove(key(namespace, sparkAppId));
  }

  /** How many attempts are remembered. */
  int size() {
    return Math.max(executors.size(), drivers.size());
  }

  private static String key(String namespace, String sparkAppId) {
    return namespace + "/" + sparkAppId;
  }
}
