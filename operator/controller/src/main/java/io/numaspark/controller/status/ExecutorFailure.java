package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.proof.ExecutorReason;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Says why an executor pod failed, or that the kubelet rejected it. */
final class ExecutorFailure {
  static final String FAILED = "Failed";
  static final String REJECTED = "Rejected";
  static final String OUT_OF_MEMORY = "OOMKilled";

  /** Reasons with which a kubelet refuses a pod that the scheduler had already placed. */
  private static final Set<String> REJECTIONS =
      Set.of("TopologyAffinityError", "UnexpectedAdmissionError", "SMTAlignmentError");

  private ExecutorFailure() {}

  /** Whether an executor of this phase has failed or was rejected. */
  static boolean isFailed(String phase) {
    return FAILED.equals(phase) || REJECTED.equals(phase);
  }

  /** Whether the kubelet refused this pod. */
  static boolean isRejected(Pod pod) {
    String reason = String.valueOf(status(pod).getReason());
    // OutOfcpu, OutOfmemory, OutOfslots.numaspark.io/..., see the kubelet's predicate admit
    // handler.
    return REJECTIONS.contains(reason) || reason.startsWith("OutOf");
  }

  /**
   * Whether the pod failed by itself, not with its node. One that was deleted first was asked to
   * stop: Spark does that with executors that it no longer needs, and they end with code 143. The
   * kernel's killer asks nobody, deleted or not.
   */
  static boolean hasFailed(Pod pod) {
    return FAILED.equals(status(pod).getPhase())
        && !NodeSilence.hides(pod)
        && (pod.getMetadata().getDeletionTimestamp() == null
            || !terminated(pod).map(ExecutorFailure::wasStopped).orElse(true));
  }

  /** Why a pod was rejected or has failed. */
  static Diagnosis of(Pod pod) {
    PodStatus status = status(pod);
    String node = pod.getSpec().getNodeName();
    if (isRejected(pod)) {
      return Diagnosis.passedOn(
          status.getReason(),
          "the kubelet of " + node + " refused the pod: " + status.getMessage());
    }
    if (status.getReason() != null) {
      return Diagnosis.passedOn(
          status.getReason(),
          "the pod failed: " + Objects.requireNonNullElse(status.getMessage(), status.getReason()));
    }
    Optional<ContainerStateTerminated> terminated = terminated(pod);
    if (terminated.isEmpty()) {
      return new Diagnosis(ExecutorReason.EXECUTOR_FAILED, "the pod failed, and nothing says why");
    }
    if (OUT_OF_MEMORY.equals(terminated.get().getReason())) {
      return Diagnosis.passedOn(OUT_OF_MEMORY, outOfMemory(pod));
    }
    int code = Objects.requireNonNullElse(terminated.get().getExitCode(), -1);
    return Diagnosis.passedOn("ExitCode" + code, "exit code " + code + ExitCode.meaning(code));
  }

  private static String outOfMemory(Pod pod) {
    String limit =
        pod.getSpec().getContainers().stream()
            .filter(container -> container.getResources() != null)
            .map(container -> container.getResources().getLimits())
            .filter(limits -> limits != null && limits.get("memory") != null)
            .map(limits -> " of " + limits.get("memory"))
            .findFirst()
            .orElse("");
    return "it was killed (OOMKilled) because it used more than its memory limit"
        + limit
        + "; raise spec.executor.memoryOverhead, or with a profile its"
        + " spec.executor.memoryOverhead";
  }

  private static boolean wasStopped(ContainerStateTerminated terminated) {
    int code = Objects.requireNonNullElse(terminated.getExitCode(), 143);
    return !OUT_OF_MEMORY.equals(terminated.getReason()) && (code == 143 || code == 137);
  }

  /** The first container that ended badly: a sidecar that ended well says nothing. */
  private static Optional<ContainerStateTerminated> terminated(Pod pod) {
    return status(pod).getContainerStatuses().stream()
        .map(ContainerStatus::getState)
        .filter(Objects::nonNull)
        .map(ContainerState::getTerminated)
        .filter(terminated -> terminated != null && !Objects.equals(terminated.getExitCode(), 0))
        .findFirst();
  }

  private static PodStatus status(Pod pod) {
    return Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
  }
}
