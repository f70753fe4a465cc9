package io.numaspark.planner.plan;

import static io.numaspark.planner.topology.KubeletSettings.ALIGN_BY_SOCKET;
import static io.numaspark.planner.topology.KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES;
import static io.numaspark.planner.topology.KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA;
import static io.numaspark.planner.topology.KubeletSettings.FULL_PCPUS_ONLY;
import static io.numaspark.planner.topology.KubeletSettings.MAX_ALLOWABLE_NUMA_NODES;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_CLOSEST_NUMA_NODES;
import static io.numaspark.planner.topology.KubeletSettings.STRICT_CPU_RESERVATION;

import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of the CPU manager and the topology manager that a kubelet refuses to start with, or that
 * do nothing for executors.
 *
 * <p>Limit: names and stages are those of Kubernetes 1.36 (policy_options.go of cpumanager and
 * topologymanager).
 */
final class OptionFindings {
  private static final Set<String> ALPHA = Set.of(ALIGN_BY_SOCKET, DISTRIBUTE_CPUS_ACROSS_CORES);
  private static final Set<String> CPU_OPTIONS =
      Set.of(
          FULL_PCPUS_ONLY,
          STRICT_CPU_RESERVATION,
          PREFER_ALIGN_CPUS_BY_UNCORECACHE,
          DISTRIBUTE_CPUS_ACROSS_NUMA,
          ALIGN_BY_SOCKET,
          DISTRIBUTE_CPUS_ACROSS_CORES);
  private static final Set<String> TOPOLOGY_OPTIONS =
      Set.of(PREFER_CLOSEST_NUMA_NODES, MAX_ALLOWABLE_NUMA_NODES);

  private static final String ALPHA_GATE = "CPUManagerPolicyAlphaOptions";
  private static final String BETA_GATE = "CPUManagerPolicyBetaOptions";

  /** What Go's strconv.ParseBool takes. */
  private static final String BOOLEAN = "1|t|T|true|TRUE|True|0|f|F|false|FALSE|False";

  /** NewStaticPolicyOptions. */
  private static final List<List<String>> CONFLICTS =
      List.of(
          List.of(FULL_PCPUS_ONLY, DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(DISTRIBUTE_CPUS_ACROSS_NUMA, DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(PREFER_ALIGN_CPUS_BY_UNCORECACHE, DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(PREFER_ALIGN_CPUS_BY_UNCORECACHE, DISTRIBUTE_CPUS_ACROSS_NUMA));

  private OptionFindings() {}

  static void add(Machine machine, Findings findings) {
    KubeletSettings kubelet = machine.kubelet();
    if (kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC) {
      kubelet.cpuManager().options().forEach((name, value) -> cpu(kubelet, name, value, findings));
      addConflicts(kubelet, findings);
      addCaches(machine, findings);
    }
    if (kubelet.topologyManagerPolicy() != TopologyManagerPolicy.NONE) {
      kubelet
          .topologyManager()
          .options()
          .forEach((name, value) -> topology(kubelet, name, value, findings));
    }
  }

  private static void cpu(KubeletSettings kubelet, String option, String value, Findings findings) {
    String field = "cpuManagerPolicyOptions";
    if (!CPU_OPTIONS.contains(option)) {
      unknown(field, option, CPU_OPTIONS, findings);
    } else if (!value.matches(BOOLEAN)) {
      badValue(field, option, value, "write \"true\" or \"false\"", findings);
    } else if (ALPHA.contains(option) && !gate(kubelet.featureGates(), ALPHA_GATE, false)) {
      findings.error(
          Reason.OPTION_NEEDS_FEATURE_GATE,
          "the CPU manager option "
              + option
              + " is an alpha feature whose gate is off: the kubelet does not start",
          "remove it from cpuManagerPolicyOptions, or set featureGates: {"
              + ALPHA_GATE
              + ": true}");
    } else if (option.equals(DISTRIBUTE_CPUS_ACROSS_NUMA)) {
      if (!gate(kubelet.featureGates(), BETA_GATE, true)) {
        findings.error(
            Reason.OPTION_NEEDS_FEATURE_GATE,
            "the CPU manager option "
                + option
                + " is a beta feature whose gate is off: the kubelet does not start",
            "remove it from cpuManagerPolicyOptions and " + BETA_GATE + " from featureGates");
      } else if (kubelet.hasOption(option)) {
        findings.info(
            Reason.OPTION_WITHOUT_EFFECT,
            "the CPU manager option distribute-cpus-across-numa does nothing for executors, which fit one NUMA node; it"
                + " forbids prefer-align-cpus-by-uncorecache",
            "remove it from cpuManagerPolicyOptions");
      }
    }
  }

  private static void topology(
      KubeletSettings kubelet, String option, String value, Findings findings) {
    String field = "topologyManagerPolicyOptions";
    if (!TOPOLOGY_OPTIONS.contains(option)) {
      unknown(field, option, TOPOLOGY_OPTIONS, findings);
    } else if (option.equals(MAX_ALLOWABLE_NUMA_NODES)) {
      if (TopologyFindings.allowedNumaNodes(kubelet).isEmpty()) {
        badValue(field, option, value, "write a whole number of at least 8 in quotes", findings);
      }
    } else if (!value.matches(BOOLEAN)) {
      badValue(field, option, value, "write \"true\" or \"false\"", findings);
    } else if (KubeletSettings.isTrue(value)
        && kubelet.topologyManagerPolicy() == TopologyManagerPolicy.SINGLE_NUMA_NODE) {
      findings.info(
          Reason.OPTION_WITHOUT_EFFECT,
          "the topology manager option prefer-closest-numa-nodes does nothing with single-numa-node",
          "remove it from topologyManagerPolicyOptions");
    }
  }

  private static void unknown(String field, String option, Set<String> known, Findings findings) {
    findings.error(
        Reason.KUBELET_OPTION_INVALID,
        field + ": " + option + " is unknown: the kubelet does not start with it",
        "remove it; there are " + String.join(", ", new TreeSet<>(known)));
  }

  private static void badValue(
      String field, String option, String value, String remedy, Findings findings) {
    findings.error(
        Reason.KUBELET_OPTION_INVALID,
        field + ": " + option + " is '" + value + "': the kubelet does not start with it",
        remedy);
  }

  private static boolean gate(Map<String, Boolean> gates, String name, boolean absent) {
    return gates.getOrDefault(name, absent);
  }

  private static void addConflicts(KubeletSettings kubelet, Findings findings) {
    for (List<String> pair : CONFLICTS) {
      if (pair.stream().allMatch(kubelet::hasOption)) {
        findings.error(
            Reason.CPU_MANAGER_OPTIONS_CONFLICT,
            "the CPU manager options "
                + String.join(" and ", pair)
                + " exclude each other: the kubelet does not start",
            "remove " + pair.get(1) + " from cpuManagerPolicyOptions");
      }
    }
    // ValidateStaticPolicyOptions.
    if (kubelet.hasOption(ALIGN_BY_SOCKET)
        && kubelet.topologyManagerPolicy() == TopologyManagerPolicy.SINGLE_NUMA_NODE) {
      findings.error(
          Reason.CPU_MANAGER_OPTIONS_CONFLICT,
          "the CPU manager option align-by-socket is not possible with the topologyManagerPolicy single-numa-node: the"
              + " kubelet does not start",
          "remove align-by-socket from cpuManagerPolicyOptions");
    }
  }

  private static void addCaches(Machine machine, Findings findings) {
    if (!machine.kubelet().hasOption(PREFER_ALIGN_CPUS_BY_UNCORECACHE)) {
      machine.topology().numaNodes().stream()
          .filter(numaNode -> numaNode.caches().size() > 1)
          .findFirst()
          .ifPresent(numaNode -> addSplitCache(machine.kubelet(), numaNode, findings));
    }
  }

  private static void addSplitCache(KubeletSettings kubelet, NumaNode numaNode, Findings findings) {
    findings.info(
        Reason.UNCORE_CACHE_NOT_ALIGNED,
        "NUMA node %d has %d last-level caches, and the kubelet does not try to keep an executor within one"
            .formatted(numaNode.id(), numaNode.caches().size()),
        "set cpuManagerPolicyOptions: {prefer-align-cpus-by-uncorecache: \"true\"} in the kubelet configuration"
            + (kubelet.hasOption(DISTRIBUTE_CPUS_ACROSS_NUMA)
                ? ", and remove distribute-cpus-across-numa"
                : ""));
  }
}
