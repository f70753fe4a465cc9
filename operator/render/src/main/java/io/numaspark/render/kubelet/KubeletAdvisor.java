package io.numaspark.render.kubelet;

import io.numaspark.planner.plan.Finding;
import io.numaspark.planner.plan.Findings;
import io.numaspark.planner.plan.LayoutPlanner;
import io.numaspark.planner.plan.NodeClass;
import io.numaspark.planner.plan.PlanResult;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.KubeletSettings.CpuManager;
import io.numaspark.planner.topology.KubeletSettings.MemoryManager;
import io.numaspark.planner.topology.KubeletSettings.TopologyManager;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NodeTopology;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import io.numaspark.render.text.MemorySize;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Finds the kubelet settings with which a machine holds the most executors of a profile, each in
 * one NUMA node.
 *
 * <p>Limit: the topology alone is used, not the kubelet settings that it has now.
 */
public final class KubeletAdvisor {
  /** Default of the topology manager's max-allowable-numa-nodes (topology_manager.go). */
  private static final int MOST_NUMA_NODES = 8;

  private final NodeTopology topology;
  private final ShapePolicy policy;
  private final SystemReserve reserve;

  private KubeletAdvisor(NodeTopology topology, ShapePolicy policy, SystemReserve reserve) {
    this.topology = topology;
    this.policy = policy;
    this.reserve = reserve;
  }

  /** A reservation, and what the planner makes of it. */
  private record Trial(CpuSet reserved, PlanResult result) {
    /** CPUs of executors on this machine; 0 if none fits. */
    int usedCpus() {
      return result instanceof Plan plan ? plan.totalSlots() * plan.shape().cpus().cpus() : 0;
    }
  }

  /**
   * The recommended settings.
   *
   * @throws IllegalArgumentException naming the reason and the remedy, if no settings pin executors
   *     of this profile on this machine
   */
  public static KubeletRecommendation recommend(
      NodeTopology topology, ShapePolicy policy, SystemReserve reserve) {
    return new KubeletAdvisor(topology, policy, reserve).recommend();
  }

  /**
   * The machine with the recommended settings.
   *
   * @throws IllegalArgumentException as {@link #recommend}
   */
  public static Machine configured(
      NodeTopology topology, ShapePolicy policy, SystemReserve reserve) {
    KubeletAdvisor advisor = new KubeletAdvisor(topology, policy, reserve);
    KubeletRecommendation recommended = advisor.recommend();
    return advisor.machine(recommended.reservedCpus(), recommended.reservedMemoryBytes());
  }

  private KubeletRecommendation recommend() {
    SortedMap<Integer, Long> memory = reservedMemory();
    int cores = reserve.cores(topology.threadsPerCore());
    if (cores >= topology.cores().size()) {
      throw new IllegalArgumentException(
          "reserving %d of %d cores leaves none to executors; reserve fewer"
              .formatted(cores, topology.cores().size()));
    }
    Trial best = null;
    for (int size : executorSizes()) {
      CpuSet reserved = ReservedCores.choose(topology, cores, size);
      Trial trial = new Trial(reserved, plan(reserved, memory));
      if (best == null || trial.usedCpus() > best.usedCpus()) {
        best = trial;
      }
    }
    if (!(best.result() instanceof Plan plan)) {
      throw new IllegalArgumentException(shortfall(best, memory));
    }
    return new KubeletRecommendation(
        cpuOptions(plan.shape().cpus().cpus()),
        topologyOptions(),
        best.reserved(),
        topology.cpus().minus(best.reserved()),
        reserve,
        memory);
  }

  private List<Integer> executorSizes() {
    if (policy.cores().preferred().isPresent()) {
      return List.of(policy.cores().preferred().getAsInt());
    }
    return IntStream.rangeClosed(policy.cores().min(), policy.cores().max()).boxed().toList();
  }

  private PlanResult plan(CpuSet reserved, SortedMap<Integer, Long> memory) {
    return LayoutPlanner.plan(List.of(new NodeClass("node", 1, machine(reserved, memory))), policy);
  }

  private Machine machine(CpuSet reserved, SortedMap<Integer, Long> memory) {
    return new Machine(
        topology,
        new KubeletSettings(
            new CpuManager(
                CpuManagerPolicy.STATIC,
                cpuOptions(topology.threadsPerCore()),
                new CpuReservation.Explicit(reserved)),
            new TopologyManager(
                TopologyManagerPolicy.SINGLE_NUMA_NODE,
                TopologyManagerScope.POD,
                topologyOptions()),
            new MemoryManager(MemoryManagerPolicy.STATIC, memory, new TreeMap<>()),
            new TreeMap<>()));
  }

  private String shortfall(Trial trial, SortedMap<Integer, Long> memory) {
    return Findings.of(machine(trial.reserved(), memory), policy).stream()
        .filter(finding -> finding.severity() == Finding.Severity.ERROR)
        .findFirst()
        .map(finding -> finding.message() + "; " + finding.remedy())
        .orElseGet(
            () -> {
              Shortfall shortfall = (Shortfall) trial.result();
              return shortfall.message() + "; " + shortfall.remedy();
            });
  }

  /**
   * Whole cores where cores have siblings, and alignment to last-level caches where a NUMA node has
   * several and an executor fits one. Never strict-cpu-reservation: once every other CPU is
   * exclusive, a kubelet with it does not start again (cpumanager: validateState).
   */
  private SortedMap<String, String> cpuOptions(int executorCpus) {
    SortedMap<String, String> options = new TreeMap<>();
    if (topology.threadsPerCore() > 1) {
      options.put(KubeletSettings.FULL_PCPUS_ONLY, "true");
    }
    if (topology.numaNodes().stream()
        .filter(numaNode -> numaNode.caches().size() > 1)
        .flatMap(numaNode -> numaNode.caches().stream())
        .anyMatch(cache -> cache.size() >= executorCpus)) {
      options.put(KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE, "true");
    }
    return options;
  }

  private SortedMap<String, String> topologyOptions() {
    SortedMap<String, String> options = new TreeMap<>();
    int numaNodes = topology.numaNodes().size();
    if (numaNodes > MOST_NUMA_NODES) {
      options.put(KubeletSettings.MAX_ALLOWABLE_NUMA_NODES, String.valueOf(numaNodes));
    }
    return options;
  }

  /**
   * The reserved memory in equal shares of whole MiB for the NUMA nodes with CPUs, where the
   * system's processes run; the first ones get what does not divide. A share of zero is left out,
   * because a kubelet refuses it.
   */
  private SortedMap<Integer, Long> reservedMemory() {
    List<NumaNode> numaNodes = topology.numaNodesWithCores();
    long mebibytes = reserve.memoryBytes() / MemorySize.MIB;
    SortedMap<Integer, Long> shares = new TreeMap<>();
    for (int i = 0; i < numaNodes.size(); i++) {
      NumaNode numaNode = numaNodes.get(i);
      long share = mebibytes / numaNodes.size() + (i < mebibytes % numaNodes.size() ? 1 : 0);
      if (share * MemorySize.MIB > numaNode.memoryBytes() - numaNode.hugepageBytes()) {
        throw new IllegalArgumentException(
            "NUMA node %d has less than the %d MiB that would be reserved on it; reserve less memory"
                .formatted(numaNode.id(), share));
      }
      if (share > 0) {
        shares.put(numaNode.id(), share * MemorySize.MIB);
      }
    }
    return shares;
  }
}
