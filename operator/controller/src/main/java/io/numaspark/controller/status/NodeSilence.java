package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;

/**
 * Pods whose node no longer answers, so that their phase is only the last that its kubelet said,
 * and nobody carries out their deletion.
 *
 * <p>Limit: Kubernetes notices this after its grace period, 50 seconds by default.
 */
public final class NodeSilence {
  /** As Kubernetes has named the phase of a pod whose node it cannot ask. */
  static final String PHASE = "Unknown";

  private NodeSilence() {}

  /**
   * Whether this pod was running when its node fell silent. The node lifecycle controller then sets
   * its condition Ready to False and gives no reason; a kubelet that does so always gives one. The
   * collector of pods calls those Failed whose node is gone, or is declared out of service.
   */
  static boolean hides(Pod pod) {
    PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    return switch (Objects.requireNonNullElse(status.getPhase(), "")) {
      case "Running" -> "NodeLost".equals(status.getReason()) || has(status, "Ready", "False", "");
      case "Failed" -> has(status, "DisruptionTarget", "True", "DeletionByPodGC");
      default -> false;
    };
  }

  private static boolean has(PodStatus status, String type, String value, String reason) {
    return status.getConditions().stream()
        .anyMatch(
            condition ->
                type.equals(condition.getType())
                    && value.equals(condition.getStatus())
                    && reason.equals(Objects.requireNonNullElse(condition.getReason(), "")));
  }

  /**
   * When the time is over that a pod was given to end; empty if it shall not end or its node
   * answers. Spark takes a pod that is still there for an executor, and replaces it only when it is
   * gone.
   */
  public static Optional<Instant> abandonedFrom(Pod pod) {
    try {
      return Optional.ofNullable(pod.getMetadata().getDeletionTimestamp())
          .filter(marked -> hides(pod))
          .map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** What follows for an executor, and what to do. */
  static String message(String node) {
    return "node "
        + node
        + " does not answer; when the executor has missed its heartbeats for spark.network.timeout (120s by default), Spark deletes its pod"
        + " and replaces it as soon as another node has a free slot";
  }
}
