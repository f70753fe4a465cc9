package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.ExecutorInfo;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.controller.lifecycle.ObservedAttempt.DriverPhase;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.text.MemorySize;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Says in words how a driver is, why it does not start, or why it has failed. */
public final class DriverDiagnosis {
  /** Waiting reasons that do not pass by themselves. */
  private static final Set<String> WITHOUT_IMAGE =
      Set.of("ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName");

  private static final Set<String> WITHOUT_CONTAINER =
      Set.of("CreateContainerConfigError", "CreateContainerError", "RunContainerError");

  /** Reasons of the condition DisruptionTarget, in the words that the status uses. */
  private static final Map<String, ApplicationReason> DISRUPTIONS =
      Map.of(
          "PreemptionByScheduler", ApplicationReason.PREEMPTED,
          "DeletionByTaintManager", ApplicationReason.NODE_LOST,
          "DeletionByPodGC", ApplicationReason.NODE_LOST,
          "EvictionByEvictionAPI", ApplicationReason.EVICTED,
          "TerminationByKubelet", ApplicationReason.EVICTED);

  private DriverDiagnosis() {}

  /** How a driver is that has not ended. */
  static Diagnosis ofLiving(Pod pod) {
    return trouble(pod)
        .orElseGet(
            () ->
                new ObservedDriver(pod).driverPhase() == DriverPhase.RUNNING
                    ? new Diagnosis(ApplicationReason.RUNNING, "the driver is running")
                    : new Diagnosis(
                        ApplicationReason.DRIVER_STARTING,
                        "the driver pod is waiting for its container"));
  }

  /** Why a driver that has not ended needs somebody's help; empty if it does not. */
  static Optional<Diagnosis> trouble(Pod pod) {
    ObservedDriver driver = new ObservedDriver(pod);
    return switch (driver.driverPhase()) {
      case RUNNING -> Optional.empty();
      case UNREACHABLE ->
          Optional.of(
              new Diagnosis(
                  ApplicationReason.NODE_UNREACHABLE,
                  "node "
                      + pod.getSpec().getNodeName()
                      + " does not answer; the attempt continues if it comes back, and fails when"
                      + " the pod is deleted"));
      default -> stuck(driver).or(() -> unschedulable(driver));
    };
  }

  /**
   * How a driver ended.
   *
   * @param log gets the end of its log, empty if it cannot be had; asked only if nothing else says
   *     why
   * @param executors those that are known, to explain exit code 11
   */
  public static Diagnosis ofEnded(
      Pod pod,
      Supplier<String> log,
      SparkApplicationSpec spec,
      Collection<ExecutorInfo> executors) {
    ObservedDriver driver = new ObservedDriver(pod);
    if (driver.driverPhase() == DriverPhase.SUCCEEDED) {
      return new Diagnosis(ApplicationReason.COMPLETED, "the driver ended with exit code 0");
    }
    return disrupted(driver)
        .or(() -> outOfMemory(driver, spec))
        .orElseGet(() -> byItself(driver, log.get(), executors));
  }

  /** The driver pod is gone, and nobody saw it end. */
  public static Diagnosis ofLost(boolean nodeWasUnreachable, String node) {
    return nodeWasUnreachable
        ? new Diagnosis(
            ApplicationReason.NODE_LOST,
            "node " + node + " did not answer, and the driver pod was deleted")
        : new Diagnosis(
            ApplicationReason.DRIVER_LOST, "the driver pod was deleted before it ended");
  }

  private static Optional<Diagnosis> stuck(ObservedDriver driver) {
    return driver
        .waiting()
        .filter(waiting -> waiting.getReason() != null)
        .filter(
            waiting ->
                WITHOUT_IMAGE.contains(waiting.getReason())
                    || WITHOUT_CONTAINER.contains(waiting.getReason()))
        .map(waiting -> stuck(driver, waiting));
  }

  private static Diagnosis stuck(ObservedDriver driver, ContainerStateWaiting waiting) {
    String remedy =
        WITHOUT_IMAGE.contains(waiting.getReason())
            ? "; check spec.image ("
                + driver.image()
                + "), spec.imagePullPolicy and spec.imagePullSecrets"
            : "; see kubectl describe pod " + driver.name();
    return Diagnosis.passedOn(
        waiting.getReason(),
        "the driver's container does not start: "
            + Objects.requireNonNullElse(waiting.getMessage(), waiting.getReason())
            + remedy);
  }

  private static Optional<Diagnosis> unschedulable(ObservedDriver driver) {
    return driver
        .condition("PodScheduled", "False")
        .map(PodCondition::getMessage)
        .map(
            message ->
                new Diagnosis(
                    ApplicationReason.DRIVER_UNSCHEDULABLE,
                    "no node takes the driver pod: " + message));
  }

  /** What ended the pod from outside explains more than the exit code that followed from it. */
  private static Optional<Diagnosis> disrupted(ObservedDriver driver) {
    Optional<Diagnosis> disruption =
        driver
            .condition("DisruptionTarget", "True")
            .map(
                condition ->
                    new Diagnosis(
                        DISRUPTIONS.getOrDefault(
                            condition.getReason(), ApplicationReason.DISRUPTED),
                        "the driver pod was ended from outside: "
                            + Objects.requireNonNullElse(
                                condition.getMessage(), condition.getReason())));
    return disruption
        .or(
            () ->
                Optional.ofNullable(driver.status().getReason())
                    .map(reason -> Diagnosis.passedOn(reason, podFailed(driver))))
        .or(
            () ->
                driver.isBeingDeleted()
                    ? Optional.of(
                        new Diagnosis(
                            ApplicationReason.DRIVER_DELETED,
                            "the driver pod was deleted from outside while it ran"))
                    : Optional.empty());
  }

  private static String podFailed(ObservedDriver driver) {
    return "the driver pod failed: "
        + Objects.requireNonNullElse(
            driver.status().getMessage(),
            "nothing says why; see kubectl describe pod " + driver.name());
  }

  private static Optional<Diagnosis> outOfMemory(ObservedDriver driver, SparkApplicationSpec spec) {
    return driver
        .terminated()
        .filter(terminated -> "OOMKilled".equals(terminated.getReason()))
        .map(
            terminated ->
                new Diagnosis(
                    ApplicationReason.DRIVER_OUT_OF_MEMORY,
                    "the driver was killed (OOMKilled) because it used more than its memory limit"
                        + driver.memoryLimit().map(limit -> parts(limit, spec)).orElse("")
                        + "; raise spec.driver.memoryOverhead if it works outside of the heap"
                        + " (Python, direct buffers), else spec.driver.memory"));
  }

  /** The limit and what it is made of. */
  private static String parts(Quantity limit, SparkApplicationSpec spec) {
    String heap =
        Optional.ofNullable(spec.sparkConf())
            .map(conf -> conf.get("spark.driver.memory"))
            .or(() -> Optional.ofNullable(spec.driver()).map(driver -> driver.memory()))
            .orElse("1g");
    long limitBytes = limit.getNumericalAmount().longValue();
    try {
      long heapBytes = MemorySize.ofSpark(heap);
      return " of %s (heap %s, overhead %s)"
          .formatted(
              limit,
              MemorySize.toQuantity(heapBytes),
              MemorySize.toQuantity(Math.max(0, limitBytes - heapBytes)));
    } catch (IllegalArgumentException e) {
      return " of " + limit;
    }
  }

  private static Diagnosis byItself(
      ObservedDriver driver, String log, Collection<ExecutorInfo> executors) {
    return forbidden(driver, log).orElseGet(() -> failed(driver, log, executors));
  }

  private static Optional<Diagnosis> forbidden(ObservedDriver driver, String log) {
    return LogExcerpt.forbidden(log)
        .map(
            refusal ->
                new Diagnosis(
                    ApplicationReason.DRIVER_FORBIDDEN,
                    "the driver's service account "
                        + driver.pod().getSpec().getServiceAccountName()
                        + " lacks a right ("
                        + refusal
                        + "); give it the rights that docs/drivers.md lists, or name another in"
                        + " spec.driver.serviceAccount"));
  }

  private static Diagnosis failed(
      ObservedDriver driver, String log, Collection<ExecutorInfo> executors) {
    Optional<Integer> exitCode = driver.terminated().map(ContainerStateTerminated::getExitCode);
    if (exitCode.isEmpty()) {
      return new Diagnosis(ApplicationReason.DRIVER_FAILED, podFailed(driver));
    }
    int code = exitCode.get();
    boolean tooMany = code == ExitCode.TOO_MANY_EXECUTOR_FAILURES;
    return new Diagnosis(
        tooMany ? ApplicationReason.TOO_MANY_EXECUTOR_FAILURES : ApplicationReason.DRIVER_FAILED,
        "the driver exited with code "
            + code
            + ExitCode.meaning(code)
            + (tooMany ? mostFrequent(executors) : "")
            + LogExcerpt.lastWords(log));
  }

  /** The failure that most executors had; its message is that of the last one. */
  private static String mostFrequent(Collection<ExecutorInfo> executors) {
    Map<String, List<ExecutorInfo>> byReason =
        executors.stream()
            .filter(executor -> ExecutorFailure.isFailed(executor.phase()))
            .collect(Collectors.groupingBy(executor -> String.valueOf(executor.reason())));
    return byReason.values().stream()
        .max(Comparator.comparingInt(List::size))
        .map(same -> same.get(same.size() - 1))
        .map(
            last ->
                "; executor "
                    + last.id()
                    + (last.node() == null ? "" : " on " + last.node())
                    + " ended with "
                    + last.reason()
                    + ": "
                    + last.message())
        .orElse("");
  }
}
