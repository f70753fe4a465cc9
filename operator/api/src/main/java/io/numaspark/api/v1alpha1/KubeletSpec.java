package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;

/** The part of a KubeletConfiguration that decides how CPUs and memory are handed out. */
@ValidationRule(
    value = "!(has(self.reservedCpus) && has(self.reservedCpuCount))",
    message =
        "spec.kubelet: give reservedCpus (reservedSystemCPUs of the kubelet) or reservedCpuCount, not both")
public record KubeletSpec(
    @Default("none")
        @Pattern("^(none|static)$")
        @JsonPropertyDescription("cpuManagerPolicy: none or static.")
        String cpuManagerPolicy,
    @JsonPropertyDescription(
            "cpuManagerPolicyOptions, for example {\"full-pcpus-only\": \"true\"}.")
        Map<String, String> cpuManagerPolicyOptions,
    @Default("none")
        @Pattern("^(none|best-effort|restricted|single-numa-node)$")
        @JsonPropertyDescription(
            "topologyManagerPolicy: none, best-effort, restricted or single-numa-node.")
        String topologyManagerPolicy,
    @Default("container")
        @Pattern("^(container|pod)$")
        @JsonPropertyDescription("topologyManagerScope: container or pod.")
        String topologyManagerScope,
    @JsonPropertyDescription(
            "topologyManagerPolicyOptions, for example {\"prefer-closest-numa-nodes\": \"true\"}.")
        Map<String, String> topologyManagerPolicyOptions,
    @Default("None")
        @Pattern("^(None|Static)$")
        @JsonPropertyDescription("memoryManagerPolicy: None or Static.")
        String memoryManagerPolicy,
    @Pattern("^[0-9]+([,-][0-9]+)*$")
        @Size(max = 2048)
        @JsonPropertyDescription(
            "reservedSystemCPUs of the kubelet, in Linux list form, for example \"0,24\".")
        String reservedCpus,
    @Min(0)
        @Max(1024)
        @JsonPropertyDescription(
            "Number of CPUs reserved when the kubelet chooses them itself: kubeReserved.cpu + systemReserved.cpu, rounded"
                + " up.")
        Integer reservedCpuCount,
    @JsonPropertyDescription(
            "reservedMemory of the kubelet: bytes by NUMA node id, for example {\"0\": 1073741824}.")
        Map<String, Long> reservedMemory,
    @Min(0)
        @JsonPropertyDescription(
            "Memory of the node that no pod gets, in bytes: kubeReserved + systemReserved + evictionHard memory.available. Plans spread it"
                + " over the NUMA nodes if reservedMemory is absent. If it is absent too, the operator takes it from the status of the"
                + " node, where the container runtime pins.")
        Long reservedMemoryTotal,
    @JsonPropertyDescription(
            "Huge pages in reservedMemory of the kubelet: bytes by NUMA node id and page size, for example {\"0\": {\"2Mi\":"
                + " 1073741824}}.")
        Map<String, Map<String, Long>> reservedHugepages,
    @JsonPropertyDescription(
            "featureGates of the kubelet that decide about its resource managers, for example"
                + " {\"CPUManagerPolicyAlphaOptions\": true}.")
        Map<String, Boolean> featureGates,
    @Pattern("^v?[0-9]{1,3}[.][0-9]{1,3}([.+-][!-~]*)?$")
        @Size(max = 128)
        @JsonPropertyDescription(
            "Version of the kubelet, for example 1.36 or v1.36.3; only major and minor count. The operator takes it from the status of"
                + " the node. If neither is known, predictions are those of the newest version that is modelled.")
        String version) {

  /** A kubelet of which nothing is known: every field absent. */
  public static final KubeletSpec UNKNOWN =
      new KubeletSpec(null, null, null, null, null, null, null, null, null, null, null, null, null);

  /** The same kubelet with other feature gates. */
  public KubeletSpec withFeatureGates(Map<String, Boolean> gates) {
    return new KubeletSpec(
        cpuManagerPolicy,
        cpuManagerPolicyOptions,
        topologyManagerPolicy,
        topologyManagerScope,
        topologyManagerPolicyOptions,
        memoryManagerPolicy,
        reservedCpus,
        reservedCpuCount,
        reservedMemory,
        reservedMemoryTotal,
        reservedHugepages,
        gates,
        version);
  }

  /** The same kubelet that keeps another amount of memory from pods. */
  public KubeletSpec withReservedMemoryTotal(Long bytes) {
    return new KubeletSpec(
        cpuManagerPolicy,
        cpuManagerPolicyOptions,
        topologyManagerPolicy,
        topologyManagerScope,
        topologyManagerPolicyOptions,
        memoryManagerPolicy,
        reservedCpus,
        reservedCpuCount,
        reservedMemory,
        bytes,
        reservedHugepages,
        featureGates,
        version);
  }

  /** The same kubelet of another version. */
  public KubeletSpec withVersion(String other) {
    return new KubeletSpec(
        cpuManagerPolicy,
        cpuManagerPolicyOptions,
        topologyManagerPolicy,
        topologyManagerScope,
        topologyManagerPolicyOptions,
        memoryManagerPolicy,
        reservedCpus,
        reservedCpuCount,
        reservedMemory,
        reservedMemoryTotal,
        reservedHugepages,
        featureGates,
        other);
  }
}
