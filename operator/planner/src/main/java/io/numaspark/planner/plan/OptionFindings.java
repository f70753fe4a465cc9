package io.numaspark.planner.plan;

import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of the static CPU manager that a kubelet refuses to start with, or that do nothing here.
 *
 * <p>The names and rules are those of Kubernetes 1.36 (cpumanager/policy_options.go). Limit: only
 * options that are switched on are known here, but a kubelet refuses an unknown name with any
 * value.
 */
final class OptionFindings {
  static final String PREFER_ALIGN_BY_UNCORE_CACHE = "prefer-align-cpus-by-uncorecache";
  private static final String ALIGN_BY_SOCKET = "align-by-socket";
  private static final String DISTRIBUTE_ACROSS_CORES = "distribute-cpus-across-cores";
  private static final String DISTRIBUTE_ACROSS_NUMA = "distribute-cpus-across-numa";

  private static final Set<String> ALPHA = Set.of(ALIGN_BY_SOCKET, DISTRIBUTE_ACROSS_CORES);
  private static final Set<String> KNOWN =
      Set.of(
          KubeletSettings.FULL_PCPUS_ONLY,
          KubeletSettings.STRICT_CPU_RESERVATION,
          PREFER_ALIGN_BY_UNCORE_CACHE,
          DISTRIBUTE_ACROSS_NUMA,
          ALIGN_BY_SOCKET,
          DISTRIBUTE_ACROSS_CORES);

  /** NewStaticPolicyOptions. */
  private static final List<List<String>> CONFLICTS =
      List.of(
          List.of(KubeletSettings.FULL_PCPUS_ONLY, DISTRIBUTE_ACROSS_CORES),
          List.of(DISTRIBUTE_ACROSS_NUMA, DISTRIBUTE_ACROSS_CORES),
          List.of(PREFER_ALIGN_BY_UNCORE_CACHE, DISTRIBUTE_ACROSS_CORES),
          List.of(PREFER_ALIGN_BY_UNCORE_CACHE, DISTRIBUTE_ACROSS_NUMA));

  private OptionFindings() {}

  static void add(Machine machine, Findings findings) {
    KubeletSettings kubelet = machine.kubelet();
    if (kubelet.cpuManagerPolicy() != CpuManagerPolicy.STATIC) {
      return;
    }
    for (String option : new TreeSet<>(kubelet.cpuManagerOptions())) {
      if (!KNOWN.contains(option)) {
        findings.error(
            Reason.CPU_MANAGER_OPTION_UNKNOWN,
            "the CPU manager option " + option + " is unknown: the kubelet does not start with it",
            "remove it from cpuManagerPolicyOptions; there are " + sorted(KNOWN));
      } else if (ALPHA.contains(option)) {
        findings.warning(
            Reason.ALPHA_OPTION,
            "the CPU manager option "
                + option
                + " is an alpha feature: the kubelet does not start with it unless its feature gate is on, and the plan does"
                + " not know its effect",
            "remove it from cpuManagerPolicyOptions, or set featureGates: {CPUManagerPolicyAlphaOptions: true}");
      }
    }
    addConflicts(machine, findings);
    if (kubelet.hasOption(DISTRIBUTE_ACROSS_NUMA)) {
      findings.info(
          Reason.OPTION_WITHOUT_EFFECT,
          "the CPU manager option distribute-cpus-across-numa does nothing for executors, which fit one NUMA node; it forbids"
              + " prefer-align-cpus-by-uncorecache",
          "remove it from cpuManagerPolicyOptions");
    }
    addCaches(machine, findings);
  }

  private static void addConflicts(Machine machine, Findings findings) {
    KubeletSettings kubelet = machine.kubelet();
    for (List<String> pair : CONFLICTS) {
      if (kubelet.cpuManagerOptions().containsAll(pair)) {
        findings.error(
            Reason.CPU_MANAGER_OPTIONS_CONFLICT,
            "the CPU manager options "
                + String.join(" and ", pair)
                + " exclude each other: the kubelet does not start",
            "remove " + pair.get(1) + " from cpuManagerPolicyOptions");
      }
    }
    if (!kubelet.hasOption(ALIGN_BY_SOCKET)) {
      return;
    }
    // ValidateStaticPolicyOptions.
    String conflict =
        kubelet.topologyManagerPolicy() == TopologyManagerPolicy.SINGLE_NUMA_NODE
            ? "the topologyManagerPolicy single-numa-node"
            : machine.topology().sockets() > machine.topology().numaNodes().size()
                ? "a machine with more sockets than NUMA nodes"
                : "";
    if (!conflict.isEmpty()) {
      findings.error(
          Reason.CPU_MANAGER_OPTIONS_CONFLICT,
          "the CPU manager option align-by-socket is not possible with "
              + conflict
              + ": the kubelet does not start",
          "remove align-by-socket from cpuManagerPolicyOptions");
    }
  }

  private static void addCaches(Machine machine, Findings findings) {
    if (machine.kubelet().hasOption(PREFER_ALIGN_BY_UNCORE_CACHE)) {
      return;
    }
    machine.topology().numaNodes().stream()
        .filter(numaNode -> numaNode.caches().size() > 1)
        .findFirst()
        .ifPresent(numaNode -> addSplitCache(machine, numaNode, findings));
  }

  private static void addSplitCache(Machine machine, NumaNode numaNode, Findings findings) {
    boolean distributes = machine.kubelet().hasOption(DISTRIBUTE_ACROSS_NUMA);
    findings.info(
        Reason.UNCORE_CACHE_NOT_ALIGNED,
        "NUMA node %d has %d last-level caches, and the kubelet does not try to keep an executor within one"
            .formatted(numaNode.id(), numaNode.caches().size()),
        "set cpuManagerPolicyOptions: {prefer-align-cpus-by-uncorecache: \"true\"} in the kubelet configuration"
            + (distributes ? ", and remove distribute-cpus-across-numa" : ""));
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", new TreeSet<>(names));
  }
}
