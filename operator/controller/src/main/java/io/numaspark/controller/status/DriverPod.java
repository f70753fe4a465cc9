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
import io.numaspark.render.Labels;
import java.util.Objects;
import java.util.Optional;

/**
 * The parts of a driver pod that tell how its driver is.
 *
 * <p>The driver's container is found by name: admission controllers add containers before and after
 * it.
 */
record DriverPod(Pod pod) {

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
