package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;

/** Hardware and kubelet of one node. */
@ValidationRule(
    value = "self.numaNodes.all(n, self.numaNodes.exists_one(m, m.id == n.id))",
    message = "spec.numaNodes: each NUMA node id may appear only once; remove the other entry")
public record SparkNodeTopologySpec(
    @JsonPropertyDescription("The processor model.") CpuModel cpu,
    @Required
        @Size(min = 1, max = 64)
        @JsonPropertyDescription(
            "The NUMA nodes, one entry each (1-64), with CPUs or only with memory.")
        List<NumaNodeSpec> numaNodes,
    @Default("{}")
        @JsonPropertyDescription("The kubelet's resource managers, as its configuration says.")
        KubeletSpec kubelet,
    @JsonPropertyDescription(
            "Kernel, hypervisor and memory modules, as the node's agent reports them.")
        NodeSystem system,
    @JsonPropertyDescription(
            "Prefetchers and memory policy that the profile of this node requests. The operator writes it and the node's agent"
                + " reads it. Absent: nothing is managed.")
        WantedKnobs knobs,
    @JsonPropertyDescription(
            "How the container runtime divides the CPUs of this node. The operator writes it and the node's agent reads it. Absent:"
                + " the runtime does not pin here.")
        WantedPins pins,
    @JsonPropertyDescription(
            "Whether the agent reports how busy the node is (status.load). The operator sets it while a SparkTrial has the node.")
        Boolean reportLoad) {

  /** Hardware and kubelet alone. */
  public SparkNodeTopologySpec(CpuModel cpu, List<NumaNodeSpec> numaNodes, KubeletSpec kubelet) {
    this(cpu, numaNodes, kubelet, null, null, null, null);
  }

  /** The same hardware with another kubelet. */
  public SparkNodeTopologySpec withKubelet(KubeletSpec other) {
    return new SparkNodeTopologySpec(cpu, numaNodes, other, system, knobs, pins, reportLoad);
  }

  /** The same node with other wishes for its knobs; null for none. */
  public SparkNodeTopologySpec withKnobs(WantedKnobs other) {
    return new SparkNodeTopologySpec(cpu, numaNodes, kubelet, system, other, pins, reportLoad);
  }

  /** The same node with another division of its CPUs; null for none. */
  public SparkNodeTopologySpec withPins(WantedPins other) {
    return new SparkNodeTopologySpec(cpu, numaNodes, kubelet, system, knobs, other, reportLoad);
  }

  /** The same node with or without the wish for its load; null for none. */
  public SparkNodeTopologySpec withReportLoad(Boolean other) {
    return new SparkNodeTopologySpec(cpu, numaNodes, kubelet, system, knobs, pins, other);
  }
}
