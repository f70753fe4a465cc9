package io.numaspark.render.kubelet;

import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A recommendation in the fields of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1). */
final class KubeletFields {
  private KubeletFields() {}

  /** All fields, in the order in which a reader thinks of them. */
  static Map<String, Object> of(KubeletRecommendation settings) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("cpuManagerPolicy", "static");
    putUnlessEmpty(fields, "cpuManagerPolicyOptions", settings.cpuManagerPolicyOptions());
    fields.put("reservedSystemCPUs", settings.reservedCpus().toString());
    fields.put("topologyManagerPolicy", "single-numa-node");
    fields.put("topologyManagerScope", "pod");
    putUnlessEmpty(fields, "topologyManagerPolicyOptions", settings.topologyManagerPolicyOptions());
    fields.put("memoryManagerPolicy", "Static");
    fields.putAll(memory(settings));
    return fields;
  }

  /** What is reserved of the memory: the sum and its shares. */
  static Map<String, Object> memory(KubeletRecommendation settings) {
    SystemReserve reserve = settings.reserve();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kubeReserved", Map.of("memory", MemorySize.toQuantity(reserve.kubeBytes())));
    fields.put("systemReserved", Map.of("memory", MemorySize.toQuantity(reserve.systemBytes())));
    fields.put(
        "evictionHard", Map.of("memory.available", MemorySize.toQuantity(reserve.evictionBytes())));
    // Without it a kubelet sets the thresholds that are not named to zero.
    fields.put("mergeDefaultEvictionSettings", true);
    List<Map<String, Object>> reservedMemory = new ArrayList<>();
    settings
        .reservedMemoryBytes()
        .forEach(
            (numaNode, bytes) -> {
              Map<String, Object> share = new LinkedHashMap<>();
              share.put("numaNode", numaNode);
              share.put("limits", Map.of("memory", MemorySize.toQuantity(bytes)));
              reservedMemory.add(share);
            });
    fields.put("reservedMemory", reservedMemory);
    return fields;
  }

  private static void putUnlessEmpty(
      Map<String, Object> fields, String name, Map<String, String> options) {
    if (!options.isEmpty()) {
      fields.put(name, options);
    }
  }
}
