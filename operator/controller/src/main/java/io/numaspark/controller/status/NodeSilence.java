package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.Objects;

/**
 * Pods whose node no longer answers, so that their phase is only the last that its kubelet said.
 *
 * <p>Limit: Kubernetes notices this after its grace period, 50 seconds by default.
 */
final class NodeSilence {
  /** As Kubernetes has named the phase of a pod whose node it cannot ask. */
  static final String PHASE = "Unknown";

  private NodeSilence() {}

  /**
   * Whether this pod was running when its node fell silent. The node lifecycle controller then sets
   * its condition Ready to False and gives no reason; a kubelet that does so always gives one.
   */
  static boolean hides(Pod pod) {
    PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    return "Running".equals(status.getPhase())
        && ("NodeLost".equals(status.getReason())
            || status.getConditions().stream()
                .anyMatch(
                    condition ->
                        "Ready".equals(condition.getType())
                            && "False".equals(condition.getStatus())
                            && Objects.requireNonNullElse(condition.getReason(), "").isEmpty()));
  }

  /** What follows for an executor, and what to do. */
  static String message(String node) {
    return "node "
        + node
        + " does not answer; Spark replaces the executor when it has missed its heartbeats for spark.network.timeout (120s by default),"
        + " as soon as another node has a free slot. If the machine is off for good, delete the node: kubectl delete node "
        + node;
  }
}
