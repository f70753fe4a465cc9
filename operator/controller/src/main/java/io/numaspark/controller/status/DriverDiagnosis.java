package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.numaspark.render.Labels;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says in words why a driver does not start or has failed, from its pod and its log. */
final class DriverDiagnosis {
  /** The container that Spark's driver runs in, by its name in Spark (Constants). */

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

  private static final int QUOTED_LINES = 5;
  private static final int QUOTED_LENGTH = 400;
  private static final Pattern FORBIDDEN = Pattern.compile("is forbidden: User .* cannot ");
  private static final Pattern UNCAUGHT =
      Pattern.compile("^(Exception in thread|Traceback |Error: )");
  private static final Pattern TELLING =
      Pattern.compile("\\b\\w*(Exception|Error|ERROR|FATAL|Traceback)\\b");

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
      String image = container(driver).getImage();
      String remedy =
          waiting.get().getReason().contains("Image")
              ? "; check spec.image (" + image + "), spec.imagePullPolicy and spec.imagePullSecrets"
              : "; see kubectl describe pod " + driver.getMetadata().getName();
      return Optional.of(
          new Diagnosis(
              waiting.get().getReason(),
              "the driver's container does not start: "
                  + Objects.requireNonNullElse(
                      waiting.get().getMessage(), waiting.get().getReason())
                  + remedy));
    }
    return unschedulable(driver);
  }

  /**
   * Why a failed driver failed.
   *
   * @param log the end of its log; empty if it cannot be had
   */
  static Diagnosis ofFailed(Pod driver, String log) {
    Optional<ContainerStateTerminated> terminated = terminated(driver);
    if (terminated.isEmpty()) {
      String reason =
          driver.getStatus().getReason() == null ? "DriverFailed" : driver.getStatus().getReason();
      return new Diagnosis(
          reason,
          "the driver pod failed: "
              + Objects.requireNonNullElse(
                  driver.getStatus().getMessage(),
                  "nothing says why; see kubectl describe pod " + driver.getMetadata().getName()));
    }
    int exitCode = terminated.get().getExitCode();
    if ("OOMKilled".equals(terminated.get().getReason())) {
      return new Diagnosis(
          "DriverOutOfMemory",
          "the driver was killed because it used more than its memory limit of "
              + container(driver).getResources().getLimits().get("memory")
              + "; raise spec.driver.memory or spec.driver.memoryOverhead");
    }
    Optional<String> forbidden =
        log.lines().filter(line -> FORBIDDEN.matcher(line).find()).findFirst();
    if (forbidden.isPresent()) {
      return new Diagnosis(
          "DriverForbidden",
          "the driver's service account "
              + driver.getSpec().getServiceAccountName()
              + " lacks a right ("
              + shortened(
                  forbidden.get().replaceFirst(".*?\\b(\\w+ \"[^\"]*\" is forbidden)", "$1"))
              + "); give it the rights that docs/drivers.md lists, or name another in spec.driver.serviceAccount");
    }
    return new Diagnosis(
        exitCode == 11 ? "TooManyExecutorFailures" : "DriverFailed",
        "the driver exited with code " + exitCode + meaning(exitCode) + lastWords(log));
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
   * The lines that tell a person most: the last uncaught exception with its causes, else the last
   * errors, else the end.
   */
  static String lastWords(String log) {
    List<String> lines =
        log.lines()
            .filter(line -> !line.isBlank() && !line.matches("\\s+(at |\\.\\.\\. ).*"))
            .toList();
    int uncaught = lastIndex(lines, UNCAUGHT);
    List<String> telling =
        lines.subList(Math.max(0, uncaught), lines.size()).stream()
            .filter(line -> TELLING.matcher(line).find())
            .toList();
    List<String> candidates = telling.isEmpty() ? lines : telling;
    List<String> told =
        uncaught >= 0
            ? candidates.stream().limit(QUOTED_LINES).toList()
            : candidates.subList(Math.max(0, candidates.size() - QUOTED_LINES), candidates.size());
    return told.isEmpty()
        ? ""
        : "; its last words: "
            + told.stream().map(DriverDiagnosis::shortened).collect(Collectors.joining(" | "));
  }

  private static int lastIndex(List<String> lines, Pattern pattern) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (pattern.matcher(lines.get(i)).find()) {
        return i;
      }
    }
    return -1;
  }

  private static String shortened(String line) {
    String trimmed = line.trim();
    return trimmed.length() <= QUOTED_LENGTH ? trimmed : trimmed.substring(0, QUOTED_LENGTH) + "…";
  }

  /** How the driver's container ended; empty if it did not, or if nothing is known of it. */
  static Optional<ContainerStateTerminated> terminated(Pod driver) {
    return containerStatus(driver)
        .map(ContainerStatus::getState)
        .map(ContainerState::getTerminated);
  }

  /** By name: admission controllers add containers before and after ours. */
  private static Optional<ContainerStatus> containerStatus(Pod driver) {
    return driver.getStatus().getContainerStatuses().stream()
        .filter(status -> Labels.DRIVER_CONTAINER.equals(status.getName()))
        .findFirst();
  }

  private static Container container(Pod driver) {
    return driver.getSpec().getContainers().stream()
        .filter(container -> Labels.DRIVER_CONTAINER.equals(container.getName()))
        .findFirst()
        .orElseThrow();
  }
}
