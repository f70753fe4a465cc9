package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;

/** What became of an application, with kubeflow's names where it has them. */
public record SparkApplicationStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("Where the application is in its life.")
        ApplicationState applicationState,
    @JsonPropertyDescription("Spark's id of the current attempt (spark.app.id).")
        String sparkApplicationId,
    @JsonPropertyDescription("The current attempt and what it was made from.") RunInfo run,
    @JsonPropertyDescription("Attempts that were started, this one included.")
        Integer executionAttempts,
    @JsonPropertyDescription(
            "Attempts to submit the current run, those that the API server refused included.")
        Integer submissionAttempts,
    @JsonPropertyDescription("When the driver of the current attempt was submitted.")
        String lastSubmissionAttemptTime,
    @JsonPropertyDescription("When the driver of the current attempt ended.")
        String terminationTime,
    @JsonPropertyDescription("When the next attempt starts, if one is due.") String nextAttemptTime,
    @JsonPropertyDescription("The driver.") DriverInfo driverInfo,
    @JsonPropertyDescription("Shape of one executor.") ExecutorShapeInfo executorShape,
    @JsonPropertyDescription("Executors by phase and by pinning.") ExecutorCounts executorCounts,
    @JsonPropertyDescription("All executors that run, by what is known of them.")
        RunningExecutors runningExecutors,
    @JsonPropertyDescription(
            "At most 50 executors. If there are more, those that are not pinned come first, and the list includes the last 10 that failed.")
        List<ExecutorInfo> executors,
    @JsonPropertyDescription("The last 10 attempts that have ended, the newest first.")
        List<AttemptInfo> attempts,
    @JsonPropertyDescription("Fields that have no effect, and what could be better; at most 20.")
        List<String> warnings,
    @JsonPropertyDescription(
            "Ready: the application runs or has run as asked. Pinned: every executor is proven to be pinned."
                + " Reconciling: it is not Ready, and the operator continues by itself. Stalled: it is not Ready, and somebody has to"
                + " change something.")
        List<Condition> conditions) {

  /** The status of an application that the operator has not read yet. */
  public static SparkApplicationStatus empty() {
    return new SparkApplicationStatus(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null);
  }

  /**
   * The state in a status.
   *
   * @return null for an application that the operator has not read yet
   */
  public static State stateOf(SparkApplicationStatus status) {
    return status == null || status.applicationState() == null
        ? null
        : status.applicationState().state();
  }

  /**
   * Whether the application waits for something that its next attempt needs, so that nothing of
   * this attempt exists. Earlier operators wrote PENDING or RESUMING for it, and no time.
   */
  public static boolean waits(SparkApplicationStatus status) {
    State state = stateOf(status);
    return state == State.PENDING
        || state == State.RESUMING
        || state != null && status.applicationState().waitingSince() != null;
  }

  /** State of an application, in kubeflow's words. */
  public record ApplicationState(
      @JsonPropertyDescription("State of the application; docs/lifecycle.md draws how they follow.")
          State state,
      @JsonPropertyDescription("Why the application failed or waits.") String errorMessage,
      @JsonPropertyDescription(
              "Since when the application waits for its profile, for slots or for something else that its next attempt needs; the condition Ready says for what. Absent if it does not wait.")
          String waitingSince) {}

  /** States of an application. */
  public enum State {
    /** Not written any more: SUBMITTED with waitingSince, as an earlier operator wrote it. */
    PENDING,
    /**
     * The driver is being created, or its pod waits for a node or its image. With waitingSince, the
     * attempt still lacks a profile or slots.
     */
    SUBMITTED,
    /** The driver runs. */
    RUNNING,
    /** Ended well; no further attempt. */
    COMPLETED,
    /** Ended badly; no further attempt. */
    FAILED,
    /** The spec contradicts itself or the API server refuses an object. */
    SUBMISSION_FAILED,
    /** An attempt has ended, the next one starts at status.nextAttemptTime. */
    PENDING_RERUN,
    /** The spec was changed: what runs is being stopped. */
    INVALIDATING,
    /** spec.suspend was set: what runs is being stopped. */
    SUSPENDING,
    /** Stopped by spec.suspend. */
    SUSPENDED,
    /** Not written any more: SUBMITTED with waitingSince after a suspension, as above. */
    RESUMING,
    /** The driver's node does not answer. */
    UNKNOWN;

    /** Whether the application has run to its end, unless its spec is changed. */
    public boolean isFinal() {
      return this == COMPLETED || this == FAILED;
    }
  }

  /** What the current attempt was made from. */
  public record RunInfo(
      @JsonPropertyDescription("Number of the attempt, from 1.") Integer attempt,
      @JsonPropertyDescription("metadata.generation of the spec that it runs.") Long generation,
      @JsonPropertyDescription("Digest of those fields whose change starts the application again.")
          String specDigest,
      @JsonPropertyDescription("Failed attempts in a row since the spec was changed or resumed.")
          Integer failures) {}

  /** An attempt that has ended. */
  public record AttemptInfo(
      @JsonPropertyDescription("Number of the attempt, from 1.") Integer attempt,
      @JsonPropertyDescription("Spark's id of the attempt.") String sparkApplicationId,
      @JsonPropertyDescription("Name of its driver pod.") String driverPod,
      @JsonPropertyDescription("When it was submitted.") String submissionTime,
      @JsonPropertyDescription("When it ended.") String terminationTime,
      @JsonPropertyDescription("COMPLETED, FAILED, or SUSPENDED or INVALIDATING if it was stopped.")
          State state,
      @JsonPropertyDescription("CamelCase reason.") String reason,
      @JsonPropertyDescription("Why it ended.") String message) {}

  /** The driver pod and its user interface. */
  public record DriverInfo(
      @JsonPropertyDescription("Name of the driver pod.") String podName,
      @JsonPropertyDescription("UID of the driver pod; absent until it was created.") String podUid,
      @JsonPropertyDescription("Node that runs it.") String node,
      @JsonPropertyDescription("Service of the driver's web UI.") String webUIServiceName,
      @JsonPropertyDescription("Port of the driver's web UI.") Integer webUIPort,
      @JsonPropertyDescription("Address of the web UI in the cluster.") String webUIAddress,
      @JsonPropertyDescription("Ingress of the driver's web UI.") String webUIIngressName,
      @JsonPropertyDescription("Address of the web UI outside of the cluster.")
          String webUIIngressAddress) {}

  /** Resources of one executor. */
  public record ExecutorShapeInfo(
      @JsonPropertyDescription("CPUs that the pod requests.") String cpus,
      @JsonPropertyDescription("Tasks that run at once.") Integer taskSlots,
      @JsonPropertyDescription("JVM heap.") String heap,
      @JsonPropertyDescription(
              "What of the pod's memory is meant for files that the executor reads and writes.")
          String pageCache,
      @JsonPropertyDescription("Memory that the pod requests.") String podMemory,
      @JsonPropertyDescription("Slots of the profile that the pod requests.") Integer slots) {}

  /** Executors by phase and by pinning. */
  public record ExecutorCounts(
      @JsonPropertyDescription("Executors requested.") Integer wanted,
      @JsonPropertyDescription("Pods waiting for a node or starting.") Integer pending,
      @JsonPropertyDescription("Pods running.") Integer running,
      @JsonPropertyDescription(
              "Executors of this attempt that failed, those that are gone included.")
          Integer failed,
      @JsonPropertyDescription(
              "Executors of this attempt that a kubelet rejected, those that are gone included.")
          Integer rejected,
      @JsonPropertyDescription("Executors proven to be pinned.") Integer pinned,
      @JsonPropertyDescription("Executors proven not to be pinned.") Integer notPinned,
      @JsonPropertyDescription("Executors of which nothing is known yet.") Integer unknown,
      @JsonPropertyDescription("Ids of those counted in failed and rejected, such as 1-40,57.")
          String counted) {}

  /** What is known of the executors that run, those included that the list has no room for. */
  public record RunningExecutors(
      @JsonPropertyDescription("How many there are of each verdict and reason.")
          List<ReasonCount> reasons,
      @JsonPropertyDescription(
              "Those that waited for CPU quota in at least 10 % of the periods, as agents report.")
          Integer throttled,
      @JsonPropertyDescription(
              "Those with at least 10 % of their memory on other NUMA nodes, as agents report.")
          Integer remoteMemory,
      @JsonPropertyDescription(
              "Those of whose accesses to memory at least 10 % went to another socket or NUMA node, as agents count.")
          Integer remoteAccesses,
      @JsonPropertyDescription("Those of which agents count something.") Integer counted) {}

  /** Executors with the same verdict and reason. */
  public record ReasonCount(
      @JsonPropertyDescription("True, False or Unknown.") ExecutorInfo.Pinned pinned,
      @JsonPropertyDescription("CamelCase reason of pinned.") String reason,
      @JsonPropertyDescription("How many.") Integer executors) {}
}
