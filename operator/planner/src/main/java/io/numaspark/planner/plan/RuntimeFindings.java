package io.numaspark.planner.plan;

import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.PinnedBy;

/** What a kubelet must not do itself where the container runtime pins. */
final class RuntimeFindings {
  private RuntimeFindings() {}

  static void add(PinnedBy.Runtime runtime, Findings findings) {
    KubeletSettings kubelet = runtime.actual();
    if (kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC) {
      findings.error(
          Reason.KUBELET_PINS_ITSELF,
          "spec.pinning.by is Runtime, but the kubelet's cpuManagerPolicy is static: both would set the CPUs of containers",
          "set spec.pinning.by to Kubelet or Auto in the profile; or set cpuManagerPolicy: none in the kubelet configuration, drain"
              + " the node, delete /var/lib/kubelet/cpu_manager_state and restart the kubelet");
    }
    if (kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC) {
      findings.error(
          Reason.KUBELET_PINS_ITSELF,
          "spec.pinning.by is Runtime, but the kubelet's memoryManagerPolicy is Static: both would set the NUMA nodes of"
              + " containers",
          "set spec.pinning.by to Kubelet or Auto in the profile; or set memoryManagerPolicy: None in the kubelet configuration, drain"
              + " the node, delete /var/lib/kubelet/memory_manager_state and restart the kubelet");
    }
    if (!findings.has(Reason.KUBELET_PINS_ITSELF)) {
      findings.info(
          Reason.PINNED_BY_RUNTIME,
          "executors are pinned by the container runtime: containers only, not system daemons and interrupts",
          "none is needed if the chart has agent.pinner.enabled=true; docs/nodes.md compares both ways");
    }
  }
}
