package io.numaspark.controller.store;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.Labels;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Executors that failed, kept from the moment their pod is seen to have failed until their
 * application has counted them.
 *
 * <p>Spark deletes the pod of a failed executor at once, so that it may be gone from the cache
 * before the application is looked at. Limit: what happens while no watch is open is not seen.
 */
public final class FailedExecutors {
  private final Predicate<Pod> isFailed;
  private final Map<String, Map<String, Pod>> byAttempt = new ConcurrentHashMap<>();

  /**
   * A keeper.
   *
   * @param isFailed whether an executor pod has failed
   */
  public FailedExecutors(Predicate<Pod> isFailed) {
    this.isFailed = isFailed;
  }

  /** Every version of every pod is shown to it. */
  public void see(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    String attempt = labels.get(Labels.SPARK_APP_SELECTOR);
    if (attempt != null
        && Labels.ROLE_EXECUTOR.equals(labels.get(Labels.SPARK_ROLE))
        && isFailed.test(pod)) {
      byAttempt
          .computeIfAbsent(
              key(pod.getMetadata().getNamespace(), attempt), id -> new ConcurrentHashMap<>())
          .put(pod.getMetadata().getName(), pod);
    }
  }

  /** The failed executors of an attempt that are kept. */
  public List<Pod> of(String namespace, String sparkAppId) {
    return List.copyOf(byAttempt.getOrDefault(key(namespace, sparkAppId), Map.of()).values());
  }

  /** Lets go of those that a status has counted. */
  public void counted(String namespace, String sparkAppId, List<Pod> pods) {
    byAttempt.computeIfPresent(
        key(namespace, sparkAppId),
        (key, kept) -> {
          pods.forEach(pod -> kept.remove(pod.getMetadata().getName()));
          return kept.isEmpty() ? null : kept;
        });
  }

  /** Lets go of all of an attempt. */
  public void forget(String namespace, String sparkAppId) {
    byAttempt.remove(key(namespace, sparkAppId));
  }

  private static String key(String namespace, String sparkAppId) {
    return namespace + "/" + sparkAppId;
  }
}
