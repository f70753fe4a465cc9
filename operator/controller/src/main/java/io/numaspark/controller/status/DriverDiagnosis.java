package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Says in words why a driver does not start or has failed, from its pod alone. */
final class DriverDiagnosis {
  /** Waiting reasons that do not pass by themselves. */
  private static final Set<String> STUCK =
      Set.of(
          "ErrImagePull",
          "ImagePullBackOff",
          "ErrImageNeverPull",
          "InvalidImageName",
          "CreateContainerConfigError",
          "CreateContainerError",
          "RunContainerError");

  private static final int QUOTED_LINES = 12;

  private DriverDiagnosis() {}

  /** A reason in CamelCase and the explanation with a remedy. */
  record Diagnosis(String reason, String message) {}

  /** Why a pending driver does not start; empty while nothing is wrong. */
  static Optional<Diagnosis> ofPending(Pod driver) {
    Optional<ContainerStateWaiting> waiting =
        containerStatus(driver)
            .map(ContainerStatus::getState)
            .map(ContainerState::getWaiting)
            .filter(state -> STUCK.contains(String.valueOf(state.getReason())));
    if (waiting.isPresent()) {
      String image = driver.getSpec().getContainers().get(0).getImage();
      String remedy =
          waiting.get().getReason().contains("Image")
              ? "; check spec.image (" + image + "), spec.imagePullPolicy and spec.imagePullSecrets"
              : "; see kubectl describe pod " + driver.getMetadata().getName();
      return Optional.of(
          new Diagnosis(
              waiting.get().getReason(),
              "the driver's container does not start: "
                  + String.valueOf(waiting.get().getMessage())
                  + remedy));
    }
    return unschedulable(driver);
  }

  /** Why a failed driver failed. */
  static Diagnosis ofFailed(Pod driver) {
    Optional<ContainerStateTerminated> terminated =
        containerStatus(driver).map(ContainerStatus::getState).map(ContainerState::getTerminated);
    if (terminated.isEmpty()) {
      String reason =
          driver.getStatus().getReason() == null ? "DriverFailed" : driver.getStatus().getReason();
      return new Diagnosis(
          reason, "the driver pod failed: " + String.valueOf(driver.getStatus().getMessage()));
    }
    int exitCode = terminated.get().getExitCode();
    if ("OOMKilled".equals(terminated.get().getReason())) {
      return new Diagnosis(
          "DriverOutOfMemory",
          "the driver was killed because it used more than its memory limit of "
              + driver.getSpec().getContainers().get(0).getResources().getLimits().get("memory")
              + "; raise spec.driver.memory or spec.driver.memoryOverhead");
    }
    return new Diagnosis(
        exitCode == 11 ? "TooManyExecutorFailures" : "DriverFailed",
        "the driver exited with code "
            + exitCode
            + meaning(exitCode)
            + lastWords(terminated.get().getMessage()));
  }

  /** Exit codes of Spark's driver (SparkExitCode) and of SparkSubmit. */
  private static String meaning(int exitCode) {
    return switch (exitCode) {
      case 11 -> " (too many executors failed: spark.executor.maxNumFailures)";
      case 50 -> " (uncaught exception)";
      case 52 -> " (out of memory: raise spec.driver.memory)";
      case 101 ->
          " (the main class could not be loaded; check spec.mainClass and spec.mainApplicationFile)";
      default -> "";
    };
  }

  private static Optional<Diagnosis> unschedulable(Pod driver) {
    return driver.getStatus().getConditions().stream()
        .filter(
            condition ->
                "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
        .map(PodCondition::getMessage)
        .map(
            message ->
                new Diagnosis("DriverUnschedulable", "no node takes the driver pod: " + message))
        .findFirst();
  }

  /**
   * The lines that tell a person most: from the first that names an exception, else the last ones.
   */
  private static String lastWords(String log) {
    if (log == null || log.isBlank()) {
      return "";
    }
    List<String> lines = log.lines().filter(line -> !line.isBlank()).toList();
    int first = 0;
    while (first < lines.size() && !lines.get(first).matches(".*(Exception|Error)\\b.*")) {
      first++;
    }
    List<String> told =
        first < lines.size()
            ? lines.subList(first, lines.size()).stream()
                .filter(line -> !line.startsWith("\tat "))
                .toList()
            : lines.subList(Math.max(0, lines.size() - QUOTED_LINES), lines.size());
    return "; its last words: "
        + told.stream().limit(QUOTED_LINES).map(String::trim).collect(Collectors.joining(" | "));
  }

  private static Optional<ContainerStatus> containerStatus(Pod driver) {
    return driver.getStatus().getContainerStatuses().stream().findFirst();
  }
}
