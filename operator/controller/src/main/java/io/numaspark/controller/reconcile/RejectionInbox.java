package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.status.ExecutorObservation;
import io.numaspark.render.Labels;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Executors that kubelets rejected, from the moment they are seen until their node is looked at:
 * Spark deletes such a pod within a second.
 */
final class RejectionInbox {
  private final Clock clock;
  private final Map<String, List<Rejection>> byNode = new ConcurrentHashMap<>();

  RejectionInbox(Clock clock) {
    this.clock = clock;
  }

  /** Looks at a pod that came, changed or went. */
  void look(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    if (!Labels.ROLE_EXECUTOR.equals(labels.get(Labels.SPARK_ROLE))
        || pod.getStatus() == null
        || !ExecutorObservation.isRejected(pod)) {
      return;
    }
    Rejection rejection =
        new Rejection(
            pod.getMetadata().getUid(),
            pod.getMetadata().getNamespace(),
            String.valueOf(labels.get(Labels.APPLICATION)),
            pod.getSpec().getNodeName(),
            labels.get(Labels.PROFILE),
            pod.getStatus().getReason(),
            String.valueOf(pod.getStatus().getMessage()),
            at(pod));
    byNode.compute(
        rejection.node(),
        (node, before) -> {
          List<Rejection> all = before == null ? new ArrayList<>() : new ArrayList<>(before);
          all.add(rejection);
          return all;
        });
  }

  /** The rejections of a node that were not taken yet. */
  List<Rejection> take(String node) {
    return Optional.ofNullable(byNode.remove(node)).orElse(List.of());
  }

  /** A kubelet's status manager stamps the first status of a pod that never started. */
  private Instant at(Pod pod) {
    Instant now = clock.instant();
    String start = pod.getStatus().getStartTime();
    if (start == null) {
      return now;
    }
    Instant stamped = Instant.parse(start);
    return stamped.isBefore(now) ? stamped : now;
  }
}
