package io.numaspark.planner.plan;

import io.numaspark.planner.admission.KubeletRelease;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;

/** Policies of the kubelet's CPU, topology and memory manager that do not pin, or not enough. */
final class KubeletFindings {
  /** A static memory manager would have to be switched off for it, so it is no shorter way. */
  private static final String BY_RUNTIME =
      "; or install the chart with agent.pinner.enabled=true and leave spec.pinning.by at Auto: the container runtime then pins, if it"
          + " is containerd 2.0 or CRI-O 1.30 or later, where NRI is on";

  private KubeletFindings() {}

  static void add(Machine machine, Findings findings) {
    KubeletSettings kubelet = machine.kubelet();
    KubeletRelease.notCovered(kubelet)
        .ifPresent(
            why ->
                findings.warning(
                    Reason.KUBELET_NOT_COVERED,
                    why,
                    "none is needed if executors are pinned; else upgrade the node or numaspark to versions that"
                        + " docs/kubernetes-versions.md lists"));
    if (kubelet.cpuManagerPolicy() != CpuManagerPolicy.STATIC) {
      findings.error(
          Reason.CPU_MANAGER_NOT_STATIC,
          "the kubelet's cpuManagerPolicy is none: no container gets exclusive CPUs",
          "set cpuManagerPolicy: static and reservedSystemCPUs in the kubelet configuration, drain the node, delete"
              + " /var/lib/kubelet/cpu_manager_state and restart the kubelet"
              + (kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC ? "" : BY_RUNTIME));
    }
    // With one NUMA node every CPU and every page is local, whatever these managers do.
    if (machine.topology().numaNodes().size() > 1) {
      addTopologyManager(kubelet, findings);
      if (kubelet.memoryManagerPolicy() != MemoryManagerPolicy.STATIC) {
        findings.warning(
            Reason.MEMORY_MANAGER_NOT_STATIC,
            "the kubelet's memoryManagerPolicy is None: memory is local only by first touch, and the kubelet does not count it per NUMA"
                + " node",
            "set memoryManagerPolicy: Static and reservedMemory for each NUMA node in the kubelet configuration");
      }
    }
    if (!kubelet.hasOption(KubeletSettings.FULL_PCPUS_ONLY)
        && machine.topology().threadsPerCore() > 1) {
      findings.warning(
          Reason.FULL_PCPUS_ONLY_OFF,
          "the kubelet's CPU manager option full-pcpus-only is off: another pod with an odd number of CPUs can share a core"
              + " with an executor",
          "set cpuManagerPolicyOptions: {full-pcpus-only: \"true\"} in the kubelet configuration");
    }
  }

  private static void addTopologyManager(KubeletSettings kubelet, Findings findings) {
    TopologyManagerPolicy policy = kubelet.topologyManagerPolicy();
    String remedy = "set topologyManagerPolicy: single-numa-node in the kubelet configuration";
    if (policy == TopologyManagerPolicy.RESTRICTED) {
      // A hint is preferred only at the smallest number of NUMA nodes whose whole capacity covers
      // the request (generateCPUTopologyHints), which is one for every executor that is planned,
      // and restricted admits nothing but preferred hints.
      findings.warning(
          Reason.TOPOLOGY_MANAGER_NOT_SINGLE_NUMA_NODE,
          "the kubelet's topologyManagerPolicy is restricted: executors of the plan stay in one NUMA node, but a pod larger"
              + " than a NUMA node is admitted over several and takes their cores",
          remedy);
    } else if (policy != TopologyManagerPolicy.SINGLE_NUMA_NODE) {
      findings.error(
          Reason.TOPOLOGY_MANAGER_NOT_SINGLE_NUMA_NODE,
          "the kubelet's topologyManagerPolicy is "
              + policy.kubeletName()
              + ": an executor may get CPUs of several NUMA nodes",
          remedy);
    }
    if (kubelet.topologyManagerScope() != TopologyManagerScope.POD) {
      findings.warning(
          Reason.TOPOLOGY_MANAGER_SCOPE_NOT_POD,
          "the kubelet's topologyManagerScope is container: containers of one pod may land on different NUMA nodes",
          "set topologyManagerScope: pod in the kubelet configuration");
    }
  }
}
