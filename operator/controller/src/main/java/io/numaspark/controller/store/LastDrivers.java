package io.numaspark.controller.store;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.DriverInfo;
import io.numaspark.controller.observe.BoundPods;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the last version of a driver pod that has ended or is being deleted: a busy operator may
 * look only when the pod is gone, and would not know how its driver ended.
 *
 * <p>Limit: what happens while no watch is open is not seen.
 */
public final class LastDrivers {
  private final Map<String, Pod> byAttempt = new ConcurrentHashMap<>();

  /**
   * Every version of every pod with the labels of an application is shown to it.
   *
   * @param application whose attempt is followed
   */
  public void see(SparkApplication application, Pod pod) {
    if (isDriver(application, pod)
        && (pod.getMetadata().getDeletionTimestamp() != null || BoundPods.hasEnded(pod))) {
      byAttempt.put(
          key(pod.getMetadata().getNamespace(), application.getStatus().sparkApplicationId()), pod);
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

  /** How many attempts are remembered. */
  int size() {
    return byAttempt.size();
  }

  /** The driver pod of an attempt as it was last seen ended or ending. */
  public Optional<Pod> of(String namespace, String sparkAppId) {
    return Optional.ofNullable(byAttempt.get(key(namespace, sparkAppId)));
  }

  /** Lets go of an attempt's. */
  public void forget(String namespace, String sparkAppId) {
    byAttempt.remove(key(namespace, sparkAppId));
  }

  private static String key(String namespace, String sparkAppId) {
    return namespace + "/" + sparkAppId;
  }
}
