package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** One executor in the status of an application. Begin with {@link #of}, and add what is known. */
public record ExecutorInfo(
    @JsonPropertyDescription("Spark's executor id.") String id,
    @JsonPropertyDescription("Pod name.") String pod,
    @JsonPropertyDescription("Node name.") String node,
    @JsonPropertyDescription("Pod phase.") String phase,
    @JsonPropertyDescription("NUMA node that holds all its CPUs.") Integer numaNode,
    @JsonPropertyDescription("CPUs it may run on, as the kernel says.") String cpus,
    @JsonPropertyDescription("NUMA nodes it may take memory from, as the kernel says.")
        String memoryNodes,
    @JsonPropertyDescription("True, False or Unknown.") Pinned pinned,
    @JsonPropertyDescription("CamelCase reason of pinned, or of the failure.") String reason,
    @JsonPropertyDescription("Explanation and remedy when not pinned or failed.") String message,
    @JsonPropertyDescription(
            "Who reported its CPUs: Executor (the executor itself, when it started), Agent (the agent of its node, from kubelet and kernel) or"
                + " AgentAndExecutor.")
        Reporter toldBy,
    @JsonPropertyDescription(
            "Last-level cache domains that its CPUs are in; absent if the topology does not list them.")
        Integer caches,
    @JsonPropertyDescription(
            "Percent of its memory that is on the NUMA nodes of its CPUs. Like throttledPercent it is reported by the agent,"
                + " and follows in steps of 10.")
        Integer localMemoryPercent,
    @JsonPropertyDescription(
            "Percent of the scheduler's periods in which it had to wait for CPU quota.")
        Integer throttledPercent) {

  /** Whether an executor is pinned, as far as that is proven. */
  public enum Pinned {
    True,
    False,
    Unknown
  }

  /** Who reported an executor's CPUs. */
  public enum Reporter {
    Executor,
    Agent,
    AgentAndExecutor
  }

  /** An executor of which nothing but its pod is known. */
  public static ExecutorInfo of(String id, String pod, String node, String phase) {
    return new ExecutorInfo(
        id, pod, node, phase, null, null, null, null, null, null, null, null, null, null);
  }

  /** The same executor in another phase. */
  public ExecutorInfo withPhase(String other) {
    return of(id, pod, node, other)
        .withCpus(numaNode, cpus, memoryNodes)
        .withVerdict(pinned, reason, message)
        .withReport(toldBy, caches, localMemoryPercent, throttledPercent);
  }

  /** The same executor on these CPUs; each is null if it is unknown. */
  public ExecutorInfo withCpus(Integer numaNode, String cpus, String memoryNodes) {
    return new ExecutorInfo(
        id,
        pod,
        node,
        phase,
        numaNode,
        cpus,
        memoryNodes,
        pinned,
        reason,
        message,
        toldBy,
        caches,
        localMemoryPercent,
        throttledPercent);
  }

  /** The same executor with this verdict. */
  public ExecutorInfo withVerdict(Pinned pinned, String reason, String message) {
    return new ExecutorInfo(
        id,
        pod,
        node,
        phase,
        numaNode,
        cpus,
        memoryNodes,
        pinned,
        reason,
        message,
        toldBy,
        caches,
        localMemoryPercent,
        throttledPercent);
  }

  /** The same executor with what is reported of it; each is null if it is unknown. */
  public ExecutorInfo withReport(
      Reporter toldBy, Integer caches, Integer localMemoryPercent, Integer throttledPercent) {
    return new ExecutorInfo(
        id,
        pod,
        node,
        phase,
        numaNode,
        cpus,
        memoryNodes,
        pinned,
        reason,
        message,
        toldBy,
        caches,
        localMemoryPercent,
        throttledPercent);
  }
}
