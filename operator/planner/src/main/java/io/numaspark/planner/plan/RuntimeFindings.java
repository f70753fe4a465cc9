package io.numaspark.planner.plan;

import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.PinnedBy;

/** What a kubelet must not do itself where the container runtime pins. */
final class RuntimeFindings {
  private RuntimeFindings() {}

  static void add(PinnedBy.Runtime runtime, Findings findings) {
    KubeletSettings kubelet = runtime.actual().kubelet();
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
          "the container runtime pins executors here, if the chart's agent.pinner.enabled is set and NRI is on in the runtime; it pins"
              + " containers only, not system daemons and interrupts",
          "none is needed if the profile's condition PinnersConnected is True; else install the chart with"
              + " agent.pinner.enabled=true (docs/nodes.md)");
    }
    if (kubelet.reservedMemoryBytes().values().stream().allMatch(bytes -> bytes == 0)) {
      findings.info(
          Reason.MEMORY_NOT_RESERVED,
          "it is not known how much memory the kubelet keeps from pods: if that is more than what spec.pinning.sharedMemory leaves,"
              + " the last executor may not be scheduled",
          "state kubeReserved + systemReserved + evictionHard in spec.kubelet.reservedMemoryTotal of the SparkNodeTopology, or raise"
              + " spec.pinning.sharedMemory; where the operator runs, it reads the node's status");
    }
    if (!runtime.actual().topology().isUniform()) {
      findings.warning(
          Reason.CORES_WITH_FEWER_THREADS,
          "the cores have different numbers of online threads: those with fewer threads than others get no executor",
          "bring all threads online, or switch SMT off as a whole");
    }
  }
}
