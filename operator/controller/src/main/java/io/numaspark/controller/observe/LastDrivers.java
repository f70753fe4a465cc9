package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.Labels;
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

  /** Every version of every pod is shown to it. */
  public void see(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    String attempt = labels.get(Labels.SPARK_APP_SELECTOR);
    if (attempt != null
        && Labels.ROLE_DRIVER.equals(labels.get(Labels.SPARK_ROLE))
        && (pod.getMetadata().getDeletionTimestamp() != null || BoundPods.hasEnded(pod))) {
      byAttempt.put(key(pod.getMetadata().getNamespace(), attempt), pod);
    }
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
