package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** What became of an application. */
public record SparkApplicationStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("Where the application is in its life.")
        ApplicationState applicationState,
    @JsonPropertyDescription("Spark's id of the run (spark.app.id).") String sparkApplicationId,
    @JsonPropertyDescription("When the driver pod was created.") String submissionTime,
    @JsonPropertyDescription("When the driver ended.") String terminationTime,
    @JsonPropertyDescription("The driver.") DriverInfo driverInfo,
    @JsonPropertyDescription("Shape of one executor.") ExecutorShapeInfo executorShape,
    @JsonPropertyDescription("Executors by phase and by pinning.") ExecutorCounts executorCounts,
    @JsonPropertyDescription("The first 50 executors.") List<ExecutorInfo> executors,
    @JsonPropertyDescription(
            "Ready: the application runs or has run as asked. Pinned: every executor is proven to be pinned.")
        List<Condition> conditions) {

  /** State of an application, in kubeflow's words. */
  public record ApplicationState(
      @JsonPropertyDescription(
              "PENDING (not submitted yet), SUBMITTED, RUNNING, COMPLETED, FAILED or SUBMISSION_FAILED.")
          State state,
      @JsonPropertyDescription("Why the application failed or waits.") String errorMessage) {}

  /**
   * States of an application; the last three are final, SUBMISSION_FAILED until its cause is gone.
   */
  public enum State {
    PENDING,
    SUBMITTED,
    RUNNING,
    COMPLETED,
    FAILED,
    SUBMISSION_FAILED;

    /** Whether the application has run to its end. */
    public boolean isFinal() {
      return this == COMPLETED || this == FAILED;
    }
  }

  /** The driver pod and its user interface. */
  public record DriverInfo(
      @JsonPropertyDescription("Name of the driver pod.") String podName,
      @JsonPropertyDescription("UID of the driver pod; absent until it was created.") String podUid,
      @JsonPropertyDescription("Node that runs it.") String node,
      @JsonPropertyDescription("Service of the driver's web UI.") String webUIServiceName,
      @JsonPropertyDescription("Port of the driver's web UI.") Integer webUIPort) {}

  /** Resources of one executor. */
  public record ExecutorShapeInfo(
      @JsonPropertyDescription("CPUs that the pod requests.") String cpus,
      @JsonPropertyDescription("Tasks that run at once.") Integer taskSlots,
      @JsonPropertyDescription("JVM heap.") String heap,
      @JsonPropertyDescription("Memory that the pod requests.") String podMemory) {}

  /** Executors by phase and by pinning. */
  public record ExecutorCounts(
      @JsonPropertyDescription("Executors asked for.") Integer wanted,
      @JsonPropertyDescription("Pods waiting for a node or starting.") Integer pending,
      @JsonPropertyDescription("Pods running.") Integer running,
      @JsonPropertyDescription("Pods that failed.") Integer failed,
      @JsonPropertyDescription("Pods that the kubelet rejected.") Integer rejected,
      @JsonPropertyDescription("Executors proven to be pinned.") Integer pinned,
      @JsonPropertyDescription("Executors proven not to be pinned.") Integer notPinned,
      @JsonPropertyDescription("Executors of which nothing is known yet.") Integer unknown) {}

  /** One executor. */
  public record ExecutorInfo(
      @JsonPropertyDescription("Spark's executor id.") String id,
      @JsonPropertyDescription("Pod name.") String pod,
      @JsonPropertyDescription("Node name.") String node,
      @JsonPropertyDescription("Pod phase.") String phase,
      @JsonPropertyDescription("NUMA node that holds all its CPUs.") Integer numaNode,
      @JsonPropertyDescription("CPUs it may run on, as its own kernel status says.") String cpus,
      @JsonPropertyDescription("NUMA nodes it may take memory from, as its own kernel status says.")
          String memoryNodes,
      @JsonPropertyDescription("True, False or Unknown.") String pinned,
      @JsonPropertyDescription("CamelCase reason of pinned.") String reason,
      @JsonPropertyDescription("Explanation and remedy when not pinned.") String message) {}
}
