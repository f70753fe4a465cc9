package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;

/** What became of a profile: its node classes, the chosen executor shape and the slots. */
public record SparkNodeProfileStatus(
    @JsonPropertyDescription("Generation of the spec that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription("Nodes by usability.") NodeCounts nodes,
    @JsonPropertyDescription("Executor slots over all usable nodes.") SlotCounts slots,
    @JsonPropertyDescription("The shape of this profile's executors.") ExecutorShapeStatus executor,
    @JsonPropertyDescription(
            "Node classes: nodes with equal topology and equal kubelet settings, planned once each.")
        List<NodeClassStatus> nodeClasses,
    @JsonPropertyDescription(
            "What each way to pin would give on the nodes of this profile: three entries.")
        List<PinningWay> whatIf,
    @JsonPropertyDescription(
            "Unusable nodes by name, the first 20, each with its reason and remedy.")
        List<UnusableNode> unusableNodes,
    @JsonPropertyDescription(
            "Nodes whose free slots are withheld for now, because their kubelet rejected executors; the first 100.")
        List<WithheldNode> withheldNodes,
    @JsonPropertyDescription("Nodes by the state of their agent.") AgentCounts agents,
    @JsonPropertyDescription("The state of each knob that the profile wants.")
        List<KnobSummary> knobs,
    @JsonPropertyDescription(
            "Ready: executors can be placed. Planned: a shape was found, on usable nodes or on"
                + " spec.nodeTemplates. SlotsWithheld: a kubelet rejected executors."
                + " AgentsReporting: the agents of all nodes report. KnobsApplied: every knob whose mode is Enforce has its"
                + " wanted value on every node. PinnersConnected: every node that the container runtime pins has a connected"
                + " pinner; absent if the runtime pins no node. SystemdAgrees: a reload of systemd moves no container to other"
                + " CPUs; absent if systemd keeps no CPUs of containers. Reconciling: it is not Ready, and the operator continues by itself."
                + " Stalled: it is not Ready, and somebody has to change something.")
        List<Condition> conditions) {

  /** A status that has conditions only. */
  public static SparkNodeProfileStatus of(Long generation, List<Condition> conditions) {
    return new SparkNodeProfileStatus(
        generation, null, null, null, null, null, null, null, null, null, conditions);
  }

  /** The same status with other conditions. */
  public SparkNodeProfileStatus withConditions(List<Condition> others) {
    return withAgents(agents, knobs, others);
  }

  /** The same status with what agents report, and with other conditions. */
  public SparkNodeProfileStatus withAgents(
      AgentCounts reported, List<KnobSummary> compared, List<Condition> others) {
    return new SparkNodeProfileStatus(
        observedGeneration,
        nodes,
        slots,
        executor,
        nodeClasses,
        whatIf,
        unusableNodes,
        withheldNodes,
        reported,
        compared,
        others);
  }

  /** Agents. */
  public record AgentCounts(
      @JsonPropertyDescription("Nodes whose agent has written within ten minutes.")
          Integer reporting,
      @JsonPropertyDescription("Nodes whose agent has written before, but not within ten minutes.")
          Integer silent,
      @JsonPropertyDescription("Nodes that no agent has ever reported.") Integer missing) {}

  /** One knob over all nodes. */
  public record KnobSummary(
      @JsonPropertyDescription("Name of the knob.") String name,
      @JsonPropertyDescription("Wanted value.") String wanted,
      @JsonPropertyDescription("Whether agents set it; else they compare it.") Boolean enforced,
      @JsonPropertyDescription(
              "Nodes by state: Applied, Drifted, Failed, Unsupported; Same or Differs if it is only compared; Unknown if"
                  + " no agent has reported it.")
          Map<String, Integer> nodes) {}

  /** Nodes that the selector matches, and how many of them can run executors. */
  public record NodeCounts(
      @JsonPropertyDescription("Nodes that the selector matches.") Integer matched,
      @JsonPropertyDescription("Nodes that have executor slots.") Integer usable,
      @JsonPropertyDescription("Nodes that match and cannot be used.") Integer unusable) {}

  /** Room for executors. */
  public record SlotCounts(
      @JsonPropertyDescription(
              "Executors that fit on all usable nodes together when they are empty.")
          Integer total,
      @JsonPropertyDescription("Slots that other pods on these nodes cost.") Integer lost,
      @JsonPropertyDescription("Free slots that are withheld after rejections.") Integer withheld,
      @JsonPropertyDescription("The extended resource that counts them on each node.")
          String resource) {}

  /** The one executor shape of a profile. */
  public record ExecutorShapeStatus(
      @JsonPropertyDescription("Physical cores.") Integer cores,
      @JsonPropertyDescription("CPUs (hardware threads) that the pod requests.") Integer cpus,
      @JsonPropertyDescription("Tasks that run at once (spark.executor.cores).") Integer taskSlots,
      @JsonPropertyDescription("JVM heap.") String heap,
      @JsonPropertyDescription("Native memory: threads, metaspace, direct buffers, workers.")
          String memoryOverhead,
      @JsonPropertyDescription(
              "Room for files that the executor reads and writes. Spark counts it in spark.executor.memoryOverhead.")
          String pageCache,
      @JsonPropertyDescription("Memory that the pod requests.") String podMemory,
      @JsonPropertyDescription("JVM options, without the heap size.") List<String> jvmOptions,
      @JsonPropertyDescription("Why this shape won.") String why,
      @JsonPropertyDescription(
              "What its size rests on: Trial, Study or None, and which. A trial is what the annotation numaspark.io/evidence says.")
          String evidence,
      @JsonPropertyDescription("The next best shapes.") List<String> runnersUp) {}

  /** Nodes with equal topology and kubelet settings. */
  public record NodeClassStatus(
      @JsonPropertyDescription("Name of the class: that of its first node.") String name,
      @JsonPropertyDescription("Number of nodes.") Integer nodes,
      @JsonPropertyDescription("Topology of the nodes, as a sentence.") String topology,
      @JsonPropertyDescription("CPUs of one node.") Integer cpus,
      @JsonPropertyDescription(
              "What gives executors their CPUs here: Kubelet or Runtime, the container runtime.")
          PinnedBy pinnedBy,
      @JsonPropertyDescription("Executor slots of one node.") Integer slotsPerNode,
      @JsonPropertyDescription(
              "Slots that one node lacks, compared with the way to pin in which it has the most; see whatIf.")
          Integer slotsLacking,
      @JsonPropertyDescription("The layout of each NUMA node.") List<NumaNodeStatus> numaNodes,
      @JsonPropertyDescription("CPUs of one node that no slot can use, in Linux list form.")
          String strandedCpus,
      @JsonPropertyDescription("Memory of one node that no slot uses.") String strandedMemory,
      @JsonPropertyDescription("What prevents the plan or makes it worse than it could be.")
          List<FindingStatus> findings) {}

  /** What gives executors their CPUs. */
  public enum PinnedBy {
    Kubelet,
    Runtime
  }

  /** One way to pin, planned on all nodes of the profile with the shape that suits it best. */
  public record PinningWay(
      @JsonPropertyDescription(
              "The way: as it is; kubelet configured, with the settings that we recommend; pinned by the runtime.")
          String way,
      @JsonPropertyDescription("Executor slots over all nodes.") Integer slots,
      @JsonPropertyDescription("Physical cores of an executor; 0 if none fits.") Integer cores,
      @JsonPropertyDescription("CPUs of all nodes that executors get.") Integer executorCpus,
      @JsonPropertyDescription(
              "CPUs of all nodes that no executor gets and that are not kept for others.")
          Integer strandedCpus,
      @JsonPropertyDescription("CPUs of all nodes.") Integer cpus,
      @JsonPropertyDescription("What has to be done for it.") String todo) {}

  /** Slots of one NUMA node. */
  public record NumaNodeStatus(
      @JsonPropertyDescription("NUMA node id.") Integer id,
      @JsonPropertyDescription(
              "Predicted CPUs of each executor. By the kubelet: in order of admission. By the container runtime: one entry per slot.")
          List<String> slots,
      @JsonPropertyDescription("CPUs reserved for the system.") String reservedCpus,
      @JsonPropertyDescription("What limits the number of slots.") String limitedBy) {}

  /** Something that a person should know about a node class. */
  public record FindingStatus(
      @JsonPropertyDescription("Error, Warning or Info.") String severity,
      @JsonPropertyDescription("CamelCase reason.") String reason,
      @JsonPropertyDescription("What was found, with the numbers.") String message,
      @JsonPropertyDescription("What to do about it.") String remedy) {}

  /** A node that matches and cannot be used. */
  public record UnusableNode(
      @JsonPropertyDescription("Node name.") String name,
      @JsonPropertyDescription("CamelCase reason.") String reason,
      @JsonPropertyDescription("Why, and what to do about it.") String message) {}

  /** A node whose free slots are kept back. */
  public record WithheldNode(
      @JsonPropertyDescription("Node name.") String name,
      @JsonPropertyDescription("The kubelet's reason for the newest rejection.") String reason,
      @JsonPropertyDescription(
              "Rejected executors since the last period of 10 minutes without a rejection.")
          Integer rejections,
      @JsonPropertyDescription("When its slots were withheld.") String since,
      @JsonPropertyDescription("The newest rejection.") String lastRejection,
      @JsonPropertyDescription("When they are free again, unless there are further rejections.")
          String until) {}
}
