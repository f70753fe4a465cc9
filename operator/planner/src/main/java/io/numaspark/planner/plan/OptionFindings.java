package io.numaspark.planner.plan;

import static io.numaspark.planner.topology.KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE;
import static io.numaspark.planner.topology.KubeletSettings.PREFER_CLOSEST_NUMA_NODES;

import io.numaspark.planner.admission.KubeletRelease;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;

/**
 * Options that a kubelet takes but that do nothing for executors, and one that executors miss.
 *
 * <p>Limit: what a kubelet does not start with is not judged here, but by {@link
 * io.numaspark.planner.admission.StartChecks}.
 */
final class OptionFindings {
  private OptionFindings() {}

  static void add(Machine machine, Findings findings) {
    KubeletSettings kubelet = machine.kubelet();
    if (kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC) {
      addDistribution(kubelet, findings);
      addCaches(machine, findings);
    }
    addPreference(kubelet, findings);
  }

  private static void addDistribution(KubeletSettings kubelet, Findings findings) {
    if (kubelet.hasOption(DISTRIBUTE_CPUS_ACROSS_NUMA)) {
      findings.info(
          Reason.OPTION_WITHOUT_EFFECT,
          "the CPU manager option distribute-cpus-across-numa does nothing for executors, which fit one NUMA node; it"
              + " forbids prefer-align-cpus-by-uncorecache",
          "remove it from cpuManagerPolicyOptions");
    }
  }

  private static void addPreference(KubeletSettings kubelet, Findings findings) {
    String preference = kubelet.topologyManager().options().get(PREFER_CLOSEST_NUMA_NODES);
    if (KubeletSettings.isTrue(preference)
        && kubelet.topologyManagerPolicy() == TopologyManagerPolicy.SINGLE_NUMA_NODE) {
      findings.info(
          Reason.OPTION_WITHOUT_EFFECT,
          "the topology manager option prefer-closest-numa-nodes does nothing with single-numa-node",
          "remove it from topologyManagerPolicyOptions");
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
            + KubeletRelease.of(kubelet)
                .missingGate(kubelet, PREFER_ALIGN_CPUS_BY_UNCORECACHE)
                .map(gate -> ", with featureGates: {" + gate + ": true}")
                .orElse("")
            + (kubelet.hasOption(DISTRIBUTE_CPUS_ACROSS_NUMA)
                ? ", and remove distribute-cpus-across-numa"
                : ""));
  }
}
