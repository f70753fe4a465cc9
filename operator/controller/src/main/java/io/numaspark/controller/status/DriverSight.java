package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.lifecycle.Sight;
import io.numaspark.controller.lifecycle.Sight.Kind;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Reads from a driver pod how its driver is.
 *
 * <p>The driver's container decides, not the pod: sidecars may outlive it, and may fail beside it.
 */
public final class DriverSight {
  private DriverSight() {}

  /** What is seen, with whether executors are left. */
  public static Sight of(Optional<Pod> driver, boolean executorsLeft) {
    return driver
        .map(DriverPod::new)
        .map(pod -> new Sight(kind(pod), executorsLeft, endedAt(pod)))
        .orElse(new Sight(Kind.ABSENT, executorsLeft, Optional.empty()));
  }

  static Kind kind(DriverPod driver) {
    Optional<ContainerStateTerminated> terminated = driver.terminated();
    if (terminated.isPresent()) {
      return isSuccess(terminated.get()) ? Kind.SUCCEEDED : Kind.FAILED;
    }
    return switch (driver.phase()) {
      case "Succeeded" -> Kind.SUCCEEDED;
      case "Failed" -> Kind.FAILED;
      case "Unknown" -> Kind.UNREACHABLE;
      case "Running" -> isUnreachable(driver) ? Kind.UNREACHABLE : Kind.RUNNING;
      default -> Kind.STARTING;
    };
  }

  static State state(Pod driver) {
    return switch (kind(new DriverPod(driver))) {
      case RUNNING -> State.RUNNING;
      case UNREACHABLE -> State.UNKNOWN;
      default -> State.SUBMITTED;
    };
  }

  private static boolean isSuccess(ContainerStateTerminated terminated) {
    return terminated.getExitCode() != null && terminated.getExitCode() == 0;
  }

  /**
   * When a node does not answer, its pods are marked for deletion after their toleration, which no
   * kubelet carries out.
   */
  private static boolean isUnreachable(DriverPod driver) {
    return "NodeLost".equals(driver.status().getReason())
        || driver.isBeingDeleted()
            && driver
                .condition("DisruptionTarget", "True")
                .map(PodCondition::getReason)
                .filter("DeletionByTaintManager"::equals)
                .isPresent();
  }

  /** The kubelet knows no time of a container that it lost. */
  private static Optional<Instant> endedAt(DriverPod driver) {
    try {
      return driver.terminated().map(ContainerStateTerminated::getFinishedAt).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
