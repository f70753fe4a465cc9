package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Prices;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What the pods of a run of a trial held: their requests times the time from the kubelet's start of
 * the pod to the end of its containers.
 *
 * <p>Limit: a node that nobody else can use while a trial has it is not counted, and neither is
 * what pods wait before the kubelet has them.
 *
 * @param driver ended
 * @param executors those that exist; they are kept until the line of the run is written
 */
public record HeldResources(Pod driver, List<Pod> executors) {
  private static final double SECONDS_OF_HOUR = 3600;
  private static final double GIBIBYTE = 1 << 30;

  /** CPUs of the executors times hours; empty if a time is not known, or there is no executor. */
  OptionalDouble executorCpuHours() {
    return executors.isEmpty() ? OptionalDouble.empty() : sum(executors, new Rate(1, 0));
  }

  /** What driver and executors cost; empty if a time is not known. */
  OptionalDouble cost(Prices prices) {
    Rate rate =
        new Rate(Double.parseDouble(prices.cpuHour()), Double.parseDouble(prices.gibibyteHour()));
    OptionalDouble ofDriver = sum(List.of(driver), rate);
    OptionalDouble ofExecutors =
        executors.isEmpty() ? OptionalDouble.empty() : sum(executors, rate);
    return ofDriver.isPresent() && ofExecutors.isPresent()
        ? OptionalDouble.of(ofDriver.getAsDouble() + ofExecutors.getAsDouble())
        : OptionalDouble.empty();
  }

  /** Of a CPU and of a GiB for an hour. */
  private record Rate(double cpu, double gibibyte) {}

  private OptionalDouble sum(List<Pod> pods, Rate rate) {
    double sum = 0;
    for (Pod pod : pods) {
      Optional<Duration> held = held(pod);
      if (held.isEmpty()) {
        return OptionalDouble.empty();
      }
      double perHour =
          rate.cpu() * requested(pod, "cpu")
              + rate.gibibyte() * requested(pod, "memory") / GIBIBYTE;
      sum += perHour * held.get().toSeconds() / SECONDS_OF_HOUR;
    }
    return OptionalDouble.of(sum);
  }

  /** An executor that has not ended yet ends with the driver. */
  private Optional<Duration> held(Pod pod) {
    try {
      Optional<Instant> start =
          Optional.ofNullable(pod.getStatus()).map(PodStatus::getStartTime).map(Instant::parse);
      Optional<Instant> end = end(pod).or(() -> end(driver));
      return start.isEmpty() || end.isEmpty()
          ? Optional.empty()
          : Optional.of(Duration.between(start.get(), end.get()))
              .filter(held -> !held.isNegative());
    } catch (DateTimeParseException e) {
      return Optional.empty(); // The kubelet knows no time of a container that it lost.
    }
  }

  private static Optional<Instant> end(Pod pod) {
    return Optional.ofNullable(pod.getStatus()).map(PodStatus::getContainerStatuses).stream()
        .flatMap(List::stream)
        .map(ContainerStatus::getState)
        .filter(Objects::nonNull)
        .map(ContainerState::getTerminated)
        .filter(Objects::nonNull)
        .map(ContainerStateTerminated::getFinishedAt)
        .filter(Objects::nonNull)
        .map(Instant::parse)
        .max(Instant::compareTo);
  }

  private static double requested(Pod pod, String resource) {
    return pod.getSpec().getContainers().stream()
        .map(Container::getResources)
        .filter(Objects::nonNull)
        .map(ResourceRequirements::getRequests)
        .filter(Objects::nonNull)
        .map((Map<String, Quantity> requests) -> requests.get(resource))
        .filter(Objects::nonNull)
        .map(Quantity::getNumericalAmount)
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .doubleValue();
  }
}
