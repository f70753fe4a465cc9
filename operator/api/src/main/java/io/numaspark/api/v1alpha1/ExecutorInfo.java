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
        Integer throttledPercent,
    @JsonPropertyDescription(
            "What it does with its CPUs, if the agent of its node counts (agent.counters.enabled).")
        ExecutorCounters counters) {

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

  /** An executor of which only its pod is known so far. */
  public static Builder of(String id, String pod, String node, String phase) {
    return new Builder(id, pod, node, phase);
  }

  /** The same executor in another phase. */
  public ExecutorInfo withPhase(String other) {
    return of(id, pod, node, other)
        .cpus(numaNode, cpus, memoryNodes)
        .verdict(pinned, reason, message)
        .report(toldBy, caches, localMemoryPercent, throttledPercent)
        .counters(counters)
        .build();
  }

  /** The same executor without percentages and counters, which move all the time. */
  public ExecutorInfo withoutPercents() {
    return of(id, pod, node, phase)
        .cpus(numaNode, cpus, memoryNodes)
        .verdict(pinned, reason, message)
        .report(toldBy, caches, null, null)
        .build();
  }

  /** Collects what is known of an executor; what is never given is null. */
  public static final class Builder {
    private final String id;
    private final String pod;
    private final String node;
    private final String phase;
    private Integer numaNode;
    private String cpus;
    private String memoryNodes;
    private Pinned pinned;
    private String reason;
    private String message;
    private Reporter toldBy;
    private Integer caches;
    private Integer localMemoryPercent;
    private Integer throttledPercent;
    private ExecutorCounters counters;

    private Builder(String id, String pod, String node, String phase) {
      this.id = id;
      this.pod = pod;
      this.node = node;
      this.phase = phase;
    }

    /** Where it runs; each is null if it is unknown. */
    public Builder cpus(Integer ofNode, String list, String nodes) {
      numaNode = ofNode;
      cpus = list;
      memoryNodes = nodes;
      return this;
    }

    /** Whether it is pinned, or why it failed. */
    public Builder verdict(Pinned proven, String because, String explanation) {
      pinned = proven;
      reason = because;
      message = explanation;
      return this;
    }

    /** What is reported of it, and by whom; each is null if it is unknown. */
    public Builder report(Reporter by, Integer domains, Integer local, Integer throttled) {
      toldBy = by;
      caches = domains;
      localMemoryPercent = local;
      throttledPercent = throttled;
      return this;
    }

    /** What it does with its CPUs; null if nobody counts. */
    public Builder counters(ExecutorCounters counted) {
      counters = counted;
      return this;
    }

    public ExecutorInfo build() {
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
          throttledPercent,
          counters);
    }
  }
}
