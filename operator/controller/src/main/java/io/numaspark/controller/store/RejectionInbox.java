package io.numaspark.controller.store;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.status.ExecutorObservation;
import io.numaspark.render.text.Labels;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Executors that kubelets rejected, from the moment they are seen until their node is reconciled:
 * Spark deletes such a pod within a second.
 *
 * <p>Limit: a pod that nobody saw between its binding and its rejection is passed over. Whether a
 * scheduler bound it is not known then, and its author may have written the node's name.
 */
public final class RejectionInbox {
  /** A node has fewer slots; what is more comes from nobody who is to be believed. */
  static final int MOST_OF_A_NODE = 1_000;

  private final Predicate<Pod> isOfKnownAttempt;
  private final Clock clock;
  private final Map<String, List<Rejection>> byNode = new ConcurrentHashMap<>();

  public RejectionInbox(Predicate<Pod> isOfKnownAttempt, Clock clock) {
    this.isOfKnownAttempt = isOfKnownAttempt;
    this.clock = clock;
  }

  /**
   * Notes a pod that came or changed, if a kubelet rejected it.
   *
   * @param before the version before it; empty for one that is seen for the first time
   */
  public void offer(Optional<Pod> before, Pod pod) {
    if (!isRejectedExecutor(pod)
        || before.filter(RejectionInbox::isRejectedExecutor).isPresent()
        || !BoundPods.wasScheduled(pod) && before.filter(BoundPods::wasScheduled).isEmpty()
        || !isOfKnownAttempt.test(pod)) {
      return;
    }
    Map<String, String> labels = pod.getMetadata().getLabels();
    Rejection rejection =
        new Rejection(
            pod.getMetadata().getUid(),
            pod.getMetadata().getNamespace(),
            labels.get(Labels.APPLICATION),
            pod.getSpec().getNodeName(),
            labels.get(Labels.PROFILE),
            pod.getStatus().getReason(),
            String.valueOf(pod.getStatus().getMessage()),
            at(pod));
    byNode.compute(
        rejection.node(),
        (node, known) -> {
          List<Rejection> all = known == null ? new ArrayList<>() : new ArrayList<>(known);
          if (all.size() < MOST_OF_A_NODE) {
            all.add(rejection);
          }
          return all;
        });
  }

  private static boolean isRejectedExecutor(Pod pod) {
    return pod.getStatus() != null
        && "Failed".equals(pod.getStatus().getPhase())
        && Labels.ROLE_EXECUTOR.equals(pod.getMetadata().getLabels().get(Labels.SPARK_ROLE))
        && ExecutorObservation.isRejected(pod);
  }

  /** The rejections of a node that were not taken yet. */
  public List<Rejection> take(String node) {
    return Optional.ofNullable(byNode.remove(node)).orElse(List.of());
  }

  /** A kubelet's status manager stamps the first status of a pod that never started. */
  private Instant at(Pod pod) {
    Instant now = clock.instant();
    try {
      Instant stamped = Instant.parse(String.valueOf(pod.getStatus().getStartTime()));
      return stamped.isBefore(now) ? stamped : now;
    } catch (DateTimeParseException e) {
      return now;
    }
  }
}
