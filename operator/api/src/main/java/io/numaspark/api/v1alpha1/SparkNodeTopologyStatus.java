package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What the agent of a node sees there; absent where no agent runs. */
public record SparkNodeTopologyStatus(
    @JsonPropertyDescription("Generation of the spec whose knobs the agent has applied.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "When the agent last wrote this status. It does so at least every five minutes, also if nothing has changed.")
        String heartbeat,
    @JsonPropertyDescription("Version of the agent.") String agentVersion,
    @JsonPropertyDescription("The kernel's id of this start of the node.") String bootId,
    @JsonPropertyDescription(
            "CPUs that pods can get for themselves when the node is empty, in Linux list form.")
        String allocatableCpus,
    @Size(max = 1024)
        @JsonPropertyDescription(
            "Containers with CPUs or memory of their own: what kubelet or runtime have given to them, and what the kernel lets them"
                + " use. kernelCpus that differ from cpus, or without cpus, are a contradiction. cpus without kernelCpus: no"
                + " container runs with them, as while an image is pulled.")
        List<ExclusiveContainer> exclusive,
    @JsonPropertyDescription("Knobs, as they were read back.") List<KnobState> knobs,
    @JsonPropertyDescription(
            "Report of the node's pinner, which pins through the container runtime; absent without one.")
        Pinner pinner,
    @Size(max = 32)
        @JsonPropertyDescription(
            "What can be counted on this node, and if not, why; absent without agent.counters.enabled.")
        List<CounterState> counters,
    @JsonPropertyDescription(
            "How busy the node has been since it was started; present while spec.reportLoad is true.")
        Load load,
    @JsonPropertyDescription(
            "TopologyRead: spec is what the node is. PinningRead: exclusive is complete. KnobsApplied: every enforced knob"
                + " has its wanted value. PinnerConnected: the container runtime pins as spec.pins says. PagesSwept: everything in the folders of"
                + " shared pages that was due could be deleted. CountersRead: the node's counter reports. SystemdAgrees: systemd keeps those CPUs of containers"
                + " that they have.")
        List<AgentCondition> conditions) {

  /**
   * One thing that the agent says of its work; the fields are those of every Kubernetes condition.
   */
  public record AgentCondition(
      @JsonPropertyDescription(
              "TopologyRead, PinningRead, KnobsApplied, PinnerConnected, PagesSwept, CountersRead or SystemdAgrees.")
          String type,
      @JsonPropertyDescription("True, False or Unknown.") String status,
      @JsonPropertyDescription("CamelCase reason.") String reason,
      @JsonPropertyDescription("What is wrong, and what to do about it.") String message,
      @JsonPropertyDescription("When status last changed.") String lastTransitionTime) {}

  /** The pinner of a node. */
  public record Pinner(
      @JsonPropertyDescription("The generation of spec.pins by which containers are pinned now.")
          String generation,
      @JsonPropertyDescription("CPUs of all containers without slots, in Linux list form.")
          String sharedCpus,
      @JsonPropertyDescription("Name of the container runtime, for example containerd.")
          String runtime,
      @JsonPropertyDescription("Version of the container runtime.") String runtimeVersion,
      @Size(max = 512) @JsonPropertyDescription("Ids of the slots that executors can get.")
          List<String> freeSlots,
      @JsonPropertyDescription(
              "Containers that still have other CPUs than spec.pins says; they get them with one of the next events of the node.")
          Integer due,
      @Size(max = 512)
          @JsonPropertyDescription("The executors that request slots, and the result for each.")
          List<PinnerExecutor> executors) {}

  /** An executor, as the pinner sees it. */
  public record PinnerExecutor(
      @JsonPropertyDescription("Namespace of the pod.") String namespace,
      @JsonPropertyDescription("Name of the pod.") String pod,
      @JsonPropertyDescription("UID of the pod.") String podUid,
      @JsonPropertyDescription(
              "Pinned, PinnedLate (it ran elsewhere before), EarlierLayout (it keeps CPUs that an earlier spec.pins gave to it),"
                  + " NoFreeSlot, StartedWithoutPinner, AlreadySet (another program has set its CPUs) or NotPinning.")
          String outcome,
      @Size(max = 512) @JsonPropertyDescription("Ids of its slots.") List<String> slots) {}

  /** One container that has CPUs of its own. */
  public record ExclusiveContainer(
      @JsonPropertyDescription("Namespace of the pod; absent if only the kernel knows it.")
          String namespace,
      @JsonPropertyDescription("Name of the pod.") String pod,
      @JsonPropertyDescription("Name of the container.") String container,
      @JsonPropertyDescription(
              "UID of the pod, from its cgroup; absent if no cgroup has these CPUs.")
          String podUid,
      @JsonPropertyDescription("Id of the container, from its cgroup.") String containerId,
      @JsonPropertyDescription(
              "CPUs that the kubelet or the container runtime has given to it, in Linux list form.")
          String cpus,
      @JsonPropertyDescription(
              "NUMA nodes whose memory was given to it, in Linux list form; absent without memory manager, or with memory: Local.")
          String memoryNodes,
      @JsonPropertyDescription("CPUs that the kernel lets it use (cpuset.cpus.effective).")
          String kernelCpus,
      @JsonPropertyDescription(
              "NUMA nodes that the kernel lets it take memory from (cpuset.mems.effective).")
          String kernelMemoryNodes,
      @JsonPropertyDescription(
              "Percent of its anonymous memory that is on the NUMA nodes of its CPUs (memory.numa_stat).")
          Integer localMemoryPercent,
      @JsonPropertyDescription(
              "Percent of the scheduler's periods in which it had to wait for CPU quota since the last write (cpu.stat).")
          Integer throttledPercent,
      @JsonPropertyDescription(
              "What the kernel accounts since the container has started; absent without agent.counters.enabled.")
          Usage usage,
      @JsonPropertyDescription(
              "What its CPUs have counted; absent if they are not its own, or without agent.counters.enabled.")
          Counts counts) {}

  /** What the kernel accounts for a container; a field is absent if the kernel does not say. */
  public record Usage(
      @JsonPropertyDescription("CPU time (usage_usec of cpu.stat).") Long cpuMilliseconds,
      @JsonPropertyDescription("Time in which a thread waited for a CPU (some of cpu.pressure).")
          Long cpuWaitMilliseconds,
      @JsonPropertyDescription(
              "Time in which a thread waited for memory (some of memory.pressure).")
          Long memoryWaitMilliseconds,
      @JsonPropertyDescription("Time in which a thread waited for a disk (some of io.pressure).")
          Long ioWaitMilliseconds,
      @JsonPropertyDescription("Page faults that needed a disk (pgmajfault of memory.stat).")
          Long majorFaults,
      @JsonPropertyDescription(
              "Pages that were evicted and needed again (workingset_refault of memory.stat).")
          Long refaults) {}

  /**
   * What the CPUs of a container have counted since the node's counter first saw it, with all that
   * runs there, interrupts included. A field is absent if it cannot be counted.
   */
  public record Counts(
      @JsonPropertyDescription("How long it was counted.") Long milliseconds,
      @JsonPropertyDescription("Cycles in which a CPU was not halted.") Long cycles,
      @JsonPropertyDescription("Instructions that have retired.") Long instructions,
      @JsonPropertyDescription("Reads that missed the last-level cache.") Long cacheMisses,
      @JsonPropertyDescription("Cache lines that came from memory of its own socket or NUMA node.")
          Long localAccesses,
      @JsonPropertyDescription("Cache lines that came from memory of another socket or NUMA node.")
          Long remoteAccesses,
      @JsonPropertyDescription("Slots in which an operation could have begun (topdown).")
          Long slots,
      @JsonPropertyDescription(
              "Slots in which none did, because the backend had no room: it waited for memory, or for units.")
          Long stalledSlots,
      @JsonPropertyDescription("Switches from one thread to another.") Long contextSwitches,
      @JsonPropertyDescription("Threads that moved to one of its CPUs.") Long migrations) {}

  /** How busy a node has been since it was started. Times are of all its CPUs together. */
  public record Load(
      @JsonPropertyDescription("All time, idle or not.") Long totalMilliseconds,
      @JsonPropertyDescription("Time in which a CPU did something.") Long busyMilliseconds,
      @JsonPropertyDescription("Time that the hypervisor took.") Long stolenMilliseconds,
      @Size(max = 512) @JsonPropertyDescription("The pods that exist.") List<PodLoad> pods) {}

  /** The CPU time of a pod. */
  public record PodLoad(
      @JsonPropertyDescription("UID of the pod, from its cgroup.") String podUid,
      @JsonPropertyDescription("CPU time since the pod was started (usage_usec of cpu.stat).")
          Long cpuMilliseconds) {}

  /** Whether something can be counted on a node. */
  public record CounterState(
      @JsonPropertyDescription(
              "Pressure, Instructions, CacheMisses, Switches, MemoryAccesses or Stalls.")
          String name,
      @JsonPropertyDescription(
              "Counted, Estimated (the processor has too few registers to count everything all the time) or Unsupported.")
          String state,
      @JsonPropertyDescription(
              "CamelCase reason, for example NoPmu, Forbidden, EventUnknown or ZeroCount.")
          String reason,
      @JsonPropertyDescription("Why not, and what to do about it.") String message) {}

  /** One knob. */
  public record KnobState(
      @JsonPropertyDescription("Name of the knob, as in spec.knobs.settings.") String name,
      @JsonPropertyDescription("Wanted value; absent if no profile wants one.") String wanted,
      @JsonPropertyDescription(
              "Value that was read back; Mixed if CPUs differ, Unknown if it cannot be read.")
          String actual,
      @JsonPropertyDescription(
              "Applied, Observed (compared only), Drifted (another program has changed it), Failed, Unsupported or Restored.")
          String state,
      @JsonPropertyDescription("CPUs whose value is not the wanted one, in Linux list form.")
          String differingCpus,
      @JsonPropertyDescription("Why, and what to do about it; absent if all is well.")
          String message) {}
}
