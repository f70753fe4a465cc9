package io.numaspark.planner.plan;

import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with a machine before any executor is placed: the kubelet's settings and the
 * topology.
 *
 * <p>Limit: it judges what the SparkNodeTopology says; whether the node still is so is the node
 * agent's business.
 */
final class Findings {
  /** The kubelet keeps NUMA nodes in a 64-bit mask and panics beyond (bitmask.go). */
  private static final int LARGEST_NUMA_ID = 63;

  private final Machine machine;
  private final ShapePolicy policy;
  private final List<Finding> findings = new ArrayList<>();

  private Findings(Machine machine, ShapePolicy policy) {
    this.machine = machine;
    this.policy = policy;
  }

  static List<Finding> of(Machine machine, ShapePolicy policy) {
    Findings findings = new Findings(machine, policy);
    findings.checkKubelet();
    findings.checkReservation();
    findings.checkTopology();
    return List.copyOf(findings.findings);
  }

  private void checkKubelet() {
    KubeletSettings kubelet = machine.kubelet();
    if (kubelet.cpuManagerPolicy() != CpuManagerPolicy.STATIC) {
      add(
          Severity.ERROR,
          Reason.CPU_MANAGER_NOT_STATIC,
          "the kubelet's cpuManagerPolicy is none: no container gets exclusive CPUs",
          "set cpuManagerPolicy: static and reservedSystemCPUs in the kubelet configuration, drain the node, delete"
              + " /var/lib/kubelet/cpu_manager_state and restart the kubelet");
    }
    if (kubelet.topologyManagerPolicy() != TopologyManagerPolicy.SINGLE_NUMA_NODE) {
      add(
          Severity.ERROR,
          Reason.TOPOLOGY_MANAGER_NOT_SINGLE_NUMA_NODE,
          "the kubelet's topologyManagerPolicy is "
              + kubelet.topologyManagerPolicy().kubeletName()
              + ": an executor may get CPUs of several NUMA nodes",
          "set topologyManagerPolicy: single-numa-node in the kubelet configuration");
    }
    if (kubelet.topologyManagerScope() != TopologyManagerScope.POD) {
      add(
          Severity.WARNING,
          Reason.TOPOLOGY_MANAGER_SCOPE_NOT_POD,
          "the kubelet's topologyManagerScope is container: containers of one pod may land on different NUMA nodes",
          "set topologyManagerScope: pod in the kubelet configuration");
    }
    if (kubelet.memoryManagerPolicy() != MemoryManagerPolicy.STATIC) {
      add(
          Severity.WARNING,
          Reason.MEMORY_MANAGER_NOT_STATIC,
          "the kubelet's memoryManagerPolicy is None: memory is local only by first touch, and nobody counts it per NUMA"
              + " node",
          "set memoryManagerPolicy: Static and reservedMemory for each NUMA node in the kubelet configuration");
    }
    if (!kubelet.hasOption(KubeletSettings.FULL_PCPUS_ONLY)
        && machine.topology().threadsPerCore() > 1) {
      add(
          Severity.WARNING,
          Reason.FULL_PCPUS_ONLY_OFF,
          "the kubelet's CPU manager option full-pcpus-only is off: another pod with an odd number of CPUs can share a core"
              + " with an executor",
          "set cpuManagerPolicyOptions: {full-pcpus-only: \"true\"} in the kubelet configuration");
    }
  }

  private void checkReservation() {
    CpuSet reserved = machine.reservedCpus();
    if (reserved.isEmpty() && machine.kubelet().cpuManagerPolicy() == CpuManagerPolicy.STATIC) {
      add(
          Severity.ERROR,
          Reason.NO_CPU_RESERVATION,
          "no CPU is reserved for the system: a kubelet with cpuManagerPolicy static does not start",
          "set reservedSystemCPUs to all threads of one core in the kubelet configuration, and spec.kubelet.reservedCpus in"
              + " the SparkNodeTopology");
    }
    CpuSet offline = reserved.minus(machine.topology().cpus());
    if (!offline.isEmpty()) {
      add(
          Severity.ERROR,
          Reason.RESERVED_CPUS_OFFLINE,
          "the reserved CPUs "
              + offline
              + " are not online on this node ("
              + machine.topology().cpus()
              + ")",
          "correct reservedSystemCPUs of the kubelet and spec.kubelet.reservedCpus of the SparkNodeTopology");
    }
    for (Core core : machine.topology().cores()) {
      CpuSet kept = core.threads().intersect(reserved);
      if (!kept.isEmpty() && kept.size() < core.threads().size()) {
        add(
            Severity.WARNING,
            Reason.LONE_RESERVED_THREAD,
            "of core "
                + core.threads()
                + " only "
                + kept
                + " is reserved: the rest of the core is of no use to executors",
            "reserve all threads of a core: " + core.threads() + ", or none");
      }
    }
  }

  private void checkTopology() {
    NodeTopology topology = machine.topology();
    if (!topology.isUniform()) {
      add(
          Severity.ERROR,
          Reason.OFFLINE_SIBLING,
          "the cores have different numbers of online threads: the kubelet then gives the same CPU to two pods"
              + " (kubernetes issue 124066)",
          "bring all threads online, or switch SMT off as a whole");
    }
    topology.numaNodes().stream()
        .mapToInt(NumaNode::id)
        .filter(id -> id > LARGEST_NUMA_ID)
        .findFirst()
        .ifPresent(
            id ->
                add(
                    Severity.ERROR,
                    Reason.NUMA_ID_TOO_LARGE,
                    "NUMA node id "
                        + id
                        + " is above "
                        + LARGEST_NUMA_ID
                        + ": the kubelet's topology manager panics",
                    "take the NUMA node offline (POWER9 GPU memory has such ids)"));
    if (policy.smt() == SmtMode.DISABLED && topology.threadsPerCore() > 1) {
      add(
          Severity.ERROR,
          Reason.SMT_NOT_DISABLED,
          "the profile says spec.smt.mode: Disabled, but cores have "
              + topology.threadsPerCore()
              + " threads",
          "switch SMT off on the node, or set spec.smt.mode to Isolated or Shared");
    }
  }

  private void add(Severity severity, Reason reason, String message, String remedy) {
    findings.add(new Finding(severity, reason, message, remedy));
  }
}
