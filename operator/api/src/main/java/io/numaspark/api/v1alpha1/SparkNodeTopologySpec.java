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
    message = "spec.numaNodes: each NUMA node id may appear only once")
public record SparkNodeTopologySpec(
    @JsonPropertyDescription("The processor model.") CpuModel cpu,
    @Required
        @Size(min = 1, max = 64)
        @JsonPropertyDescription(
            "The NUMA nodes, one entry each (1-64), with CPUs or only with memory.")
        List<NumaNodeSpec> numaNodes,
    @Default("{}")
        @JsonPropertyDescription("The kubelet's resource managers, as its configuration says.")
        KubeletSpec kubelet) {

  /** The same hardware with another kubelet. */
  public SparkNodeTopologySpec withKubelet(KubeletSpec other) {
    return new SparkNodeTopologySpec(cpu, numaNodes, other);
  }
}
