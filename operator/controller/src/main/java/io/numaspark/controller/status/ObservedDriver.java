package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.lifecycle.ObservedAttempt;
import io.numaspark.controller.lifecycle.ObservedAttempt.DriverPhase;
import io.numaspark.render.text.Labels;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;

/**
 * How a driver is, read from its pod.
 *
 * <p>The driver's container decides, not the pod: sidecars may outlive it, and may fail beside it.
 * It is found by name, as admission controllers add containers before and after it.
 */
public record ObservedDriver(Pod pod) {

  /**
   * The attempt with this driver.
   *
   * @param driver its pod, if there is one
   * @param executorsLeft whether executor pods of it still exist
   */
  public static ObservedAttempt attempt(Optional<Pod> driver, boolean executorsLeft) {
    return driver
        .map(ObservedDriver::new)
        .map(pod -> new ObservedAttempt(pod.driverPhase(), executorsLeft, pod.endedAt()))
        .orElse(new ObservedAttempt(DriverPhase.ABSENT, executorsLeft, Optional.empty()));
  }

  DriverPhase driverPhase() {
    Optional<ContainerStateTerminated> terminated = terminated();
    if (terminated.isPresent()) {
      return Integer.valueOf(0).equals(terminated.get().getExitCode())
          ? DriverPhase.SUCCEEDED
          : DriverPhase.FAILED;
    }
    return switch (phase()) {
      case "Succeeded" -> DriverPhase.SUCCEEDED;
      case "Failed" -> DriverPhase.FAILED;
      case "Unknown" -> DriverPhase.UNREACHABLE;
      case "Running" -> isUnreachable() ? DriverPhase.UNREACHABLE : DriverPhase.RUNNING;
      default -> DriverPhase.STARTING;
    };
  }

  /** The state of an application whose driver has not ended. */
  State state() {
    return switch (driverPhase()) {
      case RUNNING -> State.RUNNING;
      case UNREACHABLE -> State.UNKNOWN;
      default -> State.SUBMITTED;
    };
  }

  /**
   * When a node does not answer, its pods are marked for deletion after their toleration, which no
   * kubelet carries out.
   */
  private boolean isUnreachable() {
    return "NodeLost".equals(status().getReason())
        || isBeingDeleted()
            && condition("DisruptionTarget", "True")
                .map(PodCondition::getReason)
                .filter("DeletionByTaintManager"::equals)
                .isPresent();
  }

  /** How long the driver ran, in whole seconds; empty before its end, and if nobody knows. */
  public Optional<Duration> ranFor() {
    try {
      return terminated()
          .filter(end -> end.getStartedAt() != null && end.getFinishedAt() != null)
          .map(
              end ->
                  Duration.between(
                      Instant.parse(end.getStartedAt()), Instant.parse(end.getFinishedAt())))
          .filter(duration -> !duration.isNegative());
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** The kubelet knows no time of a container that it lost. */
  private Optional<Instant> endedAt() {
    try {
      return terminated().map(ContainerStateTerminated::getFinishedAt).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  String name() {
    return pod.getMetadata().getName();
  }

  String phase() {
    return Objects.requireNonNullElse(status().getPhase(), "Pending");
  }

  PodStatus status() {
    return Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
  }

  boolean isBeingDeleted() {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  Optional<PodCondition> condition(String type, String status) {
    return status().getConditions().stream()
        .filter(
            condition -> type.equals(condition.getType()) && status.equals(condition.getStatus()))
        .findFirst();
  }

  /** How the driver's container ended; empty if it did not, or if nothing is known of it. */
  Optional<ContainerStateTerminated> terminated() {
    return containerState().map(ContainerState::getTerminated);
  }

  Optional<ContainerStateWaiting> waiting() {
    return containerState().map(ContainerState::getWaiting);
  }

  String image() {
    return container().map(Container::getImage).orElse("unknown");
  }

  Optional<Quantity> memoryLimit() {
    return container()
        .map(Container::getResources)
        .map(resources -> resources.getLimits())
        .map(limits -> limits.get("memory"));
  }

  private Optional<ContainerState> containerState() {
    return status().getContainerStatuses().stream()
        .filter(status -> Labels.DRIVER_CONTAINER.equals(status.getName()))
        .findFirst()
        .map(ContainerStatus::getState);
  }

  private Optional<Container> container() {
    return pod.getSpec().getContainers().stream()
        .filter(container -> Labels.DRIVER_CONTAINER.equals(container.getName()))
        .findFirst();
  }
}
