package io.numaspark.planner.admission;

import io.numaspark.planner.admission.KubeletSimulation.Start.Refused;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Why a kubelet does not start with some settings on some machine, in the order in which the
 * kubelet looks (container_manager_linux.go: NewContainerManager).
 *
 * <p>Limit: only what decides about CPUs and memory; a kubelet has more to check. Two entries are
 * of this model, not of the kubelet: too many NUMA nodes, and a gate that is not covered.
 */
final class StartChecks {
  private static final int DEFAULT_MAX_NUMA_NODES = 8;

  /** The kubelet goes through all 2^n sets of NUMA nodes for each pod. */
  private static final int LARGEST_NUMA_COUNT = 16;

  /** And with these policies through all pairs of such sets, one of CPUs and one of memory. */
  private static final int LARGEST_NUMA_COUNT_OF_PAIRS = 12;

  private static final String CPU_OPTIONS = "spec.kubelet.cpuManagerPolicyOptions";
  private static final String TOPOLOGY_OPTIONS = "spec.kubelet.topologyManagerPolicyOptions";

  /** The CPU manager's options by the feature gate that they need; "" for none. */
  private static final Map<String, String> CPU_OPTION_GATES =
      Map.of(
          KubeletSettings.FULL_PCPUS_ONLY, "",
          KubeletSettings.STRICT_CPU_RESERVATION, "",
          KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE, "",
          KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA, "CPUManagerPolicyBetaOptions",
          KubeletSettings.ALIGN_BY_SOCKET, "CPUManagerPolicyAlphaOptions",
          KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES, "CPUManagerPolicyAlphaOptions");

  /** pkg/features/kube_features.go. */
  private static final List<String> GATES =
      List.of(
          "CPUManagerPolicyAlphaOptions",
          "CPUManagerPolicyBetaOptions",
          "CPUManagerPolicyOptions",
          "PodLevelResourceManagers",
          "PodLevelResources",
          "TopologyManagerPolicyAlphaOptions",
          "TopologyManagerPolicyBetaOptions",
          "TopologyManagerPolicyOptions");

  private static final Map<String, Boolean> GATE_DEFAULTS =
      Map.of("CPUManagerPolicyBetaOptions", true, "CPUManagerPolicyAlphaOptions", false);

  /** Pairs of options that exclude each other (policy_options.go: NewStaticPolicyOptions). */
  private static final List<List<String>> EXCLUSIVE =
      List.of(
          List.of(KubeletSettings.FULL_PCPUS_ONLY, KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(
              KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA,
              KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(
              KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE,
              KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES),
          List.of(
              KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE,
              KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA));

  /** What Go's strconv.ParseBool understands. */
  private static final Set<String> BOOLEANS =
      Set.of("1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False");

  private final Machine machine;
  private final KubeletSettings kubelet;

  private StartChecks(Machine machine) {
    this.machine = machine;
    this.kubelet = machine.kubelet();
  }

  static Optional<Refused> firstProblem(Machine machine) {
    StartChecks checks = new StartChecks(machine);
    return Stream.<Function<StartChecks, Optional<Refused>>>of(
            StartChecks::gates,
            StartChecks::topologyOptions,
            StartChecks::numaNodes,
            StartChecks::cpuOptions,
            StartChecks::reservedCpus,
            StartChecks::alignBySocket,
            StartChecks::reservedMemory,
            StartChecks::nodeAllocatable)
        .flatMap(check -> check.apply(checks).stream())
        .findFirst();
  }

  private static Optional<Refused> refused(String field, String message, String remedy) {
    return Optional.of(new Refused(field, message, remedy));
  }

  /** Only the gates of the resource managers are known here; the others are not looked at. */
  private Optional<Refused> gates() {
    for (String gate : kubelet.featureGates().keySet()) {
      if (gate.matches("(CPU|Memory|Topology)Manager.*|PodLevel.*") && !GATES.contains(gate)) {
        return refused(
            "spec.kubelet.featureGates." + gate,
            "the kubelet knows no such feature gate",
            "write one of " + String.join(", ", GATES));
      }
    }
    return Boolean.TRUE.equals(kubelet.featureGates().get("PodLevelResourceManagers"))
        ? refused(
            "spec.kubelet.featureGates.PodLevelResourceManagers",
            "the alpha gate PodLevelResourceManagers is on, which this model does not cover",
            "simulate with the gate off")
        : Optional.empty();
  }

  private Optional<Refused> topologyOptions() {
    if (kubelet.topologyManagerPolicy() == TopologyManagerPolicy.NONE) {
      return Optional.empty();
    }
    for (Map.Entry<String, String> option : kubelet.topologyManager().options().entrySet()) {
      String field = TOPOLOGY_OPTIONS + "." + option.getKey();
      switch (option.getKey()) {
        case KubeletSettings.PREFER_CLOSEST_NUMA_NODES -> {
          if (!BOOLEANS.contains(option.getValue())) {
            return notBoolean(field, option.getValue());
          }
        }
        case KubeletSettings.MAX_ALLOWABLE_NUMA_NODES -> {
          if (maxNumaNodes() < DEFAULT_MAX_NUMA_NODES) {
            return refused(
                field,
                "'" + option.getValue() + "' is no number of at least " + DEFAULT_MAX_NUMA_NODES,
                "write for example \"16\"");
          }
        }
        default -> {
          return refused(
              field,
              "the kubelet knows no such Topology Manager option",
              "write "
                  + KubeletSettings.PREFER_CLOSEST_NUMA_NODES
                  + " or "
                  + KubeletSettings.MAX_ALLOWABLE_NUMA_NODES);
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Refused> notBoolean(String field, String value) {
    return refused(
        field, "'" + value + "' is neither true nor false", "write \"true\" or \"false\"");
  }

  /** The option, its default, or -1 if it is no number. */
  private int maxNumaNodes() {
    String value =
        kubelet.topologyManager().options().get(KubeletSettings.MAX_ALLOWABLE_NUMA_NODES);
    if (value == null) {
      return DEFAULT_MAX_NUMA_NODES;
    }
    return value.matches("[+-]?[0-9]{1,9}") ? Integer.parseInt(value) : -1;
  }

  private Optional<Refused> numaNodes() {
    boolean topologyManager = kubelet.topologyManagerPolicy() != TopologyManagerPolicy.NONE;
    boolean memoryManager = kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
    List<NumaNode> nodes = machine.topology().numaNodes();
    if (topologyManager && isOn(KubeletSettings.PREFER_CLOSEST_NUMA_NODES)) {
      for (NumaNode node : nodes) {
        if (node.distances().isEmpty()) {
          return refused(
              "spec.numaNodes[id=" + node.id() + "].distances",
              "prefer-closest-numa-nodes needs the distances of every NUMA node",
              "add them, or remove the option");
        }
      }
    }
    if (topologyManager && nodes.size() > maxNumaNodes()) {
      return refused(
          "spec.kubelet.topologyManagerPolicy",
          "the Topology Manager does not start with %d NUMA nodes, at most %d are allowed"
              .formatted(nodes.size(), maxNumaNodes()),
          "set topologyManagerPolicyOptions: {max-allowable-numa-nodes: \"%d\"}, or the policy none"
              .formatted(nodes.size()));
    }
    if (topologyManager || memoryManager) {
      int most =
          topologyManager
                  && kubelet.topologyManagerPolicy() != TopologyManagerPolicy.SINGLE_NUMA_NODE
              ? LARGEST_NUMA_COUNT_OF_PAIRS
              : LARGEST_NUMA_COUNT;
      if (nodes.size() > most) {
        return refused(
            "spec.numaNodes",
            "with %d NUMA nodes the kubelet goes through at least 2^%d sets of them for each pod"
                .formatted(nodes.size(), nodes.size()),
            "combine NUMA nodes in the firmware; with this policy at most "
                + most
                + " can be simulated");
      }
    }
    return Optional.empty();
  }

  private boolean isOn(String topologyOption) {
    return KubeletSettings.isTrue(kubelet.topologyManager().options().get(topologyOption));
  }

  private Optional<Refused> cpuOptions() {
    Map<String, String> options = kubelet.cpuManager().options();
    if (kubelet.cpuManagerPolicy() != CpuManagerPolicy.STATIC) {
      return options.isEmpty()
          ? Optional.empty()
          : refused(
              CPU_OPTIONS,
              "the CPU manager policy none takes no options",
              "remove them, or set cpuManagerPolicy: static");
    }
    for (Map.Entry<String, String> option : options.entrySet()) {
      String field = CPU_OPTIONS + "." + option.getKey();
      String gate = CPU_OPTION_GATES.get(option.getKey());
      if (gate == null) {
        return refused(
            field,
            "the kubelet knows no such CPU manager option",
            "write one of "
                + String.join(", ", CPU_OPTION_GATES.keySet().stream().sorted().toList()));
      }
      if (!gate.isEmpty() && !kubelet.featureGates().getOrDefault(gate, GATE_DEFAULTS.get(gate))) {
        return refused(
            field,
            "the option needs the feature gate " + gate,
            "set spec.kubelet.featureGates: {" + gate + ": true}, or remove the option");
      }
      if (!BOOLEANS.contains(option.getValue())) {
        return notBoolean(field, option.getValue());
      }
    }
    for (List<String> pair : EXCLUSIVE) {
      if (pair.stream().allMatch(kubelet::hasOption)) {
        return refused(
            CPU_OPTIONS, String.join(" and ", pair) + " exclude each other", "remove one of them");
      }
    }
    return Optional.empty();
  }

  private Optional<Refused> reservedCpus() {
    if (kubelet.cpuManagerPolicy() != CpuManagerPolicy.STATIC) {
      return Optional.empty();
    }
    CpuSet reserved = machine.reservedCpus();
    if (reserved.isEmpty()) {
      return refused(
          "spec.kubelet.reservedCpus",
          "the CPU manager policy static needs a CPU reservation",
          "reserve all threads of one core, for example \""
              + machine.topology().cores().get(0).threads()
              + "\"");
    }
    CpuSet offline = reserved.minus(machine.topology().cpus());
    return offline.isEmpty()
        ? Optional.empty()
        : refused(
            "spec.kubelet.reservedCpus",
            "CPUs " + offline + " are not online",
            "reserve CPUs of " + machine.topology().cpus());
  }

  private Optional<Refused> alignBySocket() {
    if (kubelet.cpuManagerPolicy() != CpuManagerPolicy.STATIC
        || !kubelet.hasOption(KubeletSettings.ALIGN_BY_SOCKET)) {
      return Optional.empty();
    }
    String field = CPU_OPTIONS + "." + KubeletSettings.ALIGN_BY_SOCKET;
    return kubelet.topologyManagerPolicy() == TopologyManagerPolicy.SINGLE_NUMA_NODE
        ? refused(
            field,
            "align-by-socket and the Topology Manager policy single-numa-node exclude each other",
            "remove the option")
        : Optional.empty();
  }

  private Optional<Refused> reservedMemory() {
    if (kubelet.memoryManagerPolicy() != MemoryManagerPolicy.STATIC) {
      return Optional.empty();
    }
    List<Integer> ids = machine.topology().numaNodes().stream().map(NumaNode::id).toList();
    for (Integer id :
        Stream.concat(
                kubelet.memoryManager().reservedBytes().keySet().stream(),
                kubelet.memoryManager().reservedHugepageBytes().keySet().stream())
            .toList()) {
      if (!ids.contains(id)) {
        return refused(
            "spec.kubelet.reservedMemory[" + id + "]",
            "there is no NUMA node " + id,
            "write one of " + ids);
      }
    }
    if (kubelet.memoryManager().reservedBytes().values().stream().mapToLong(Long::longValue).sum()
        <= 0) {
      return refused(
          "spec.kubelet.reservedMemory",
          "the Memory Manager policy Static needs reserved memory",
          "reserve some on each NUMA node, together kubeReserved + systemReserved + evictionHard");
    }
    return Optional.empty();
  }

  /** node_container_manager_linux.go: validateNodeAllocatable. */
  private Optional<Refused> nodeAllocatable() {
    long reserved =
        kubelet.memoryManager().reservedBytes().values().stream().mapToLong(Long::longValue).sum();
    return reserved > machine.topology().memoryBytes()
        ? refused(
            "spec.kubelet.reservedMemory",
            "%d bytes are reserved of %d that the node has"
                .formatted(reserved, machine.topology().memoryBytes()),
            "reserve less")
        : Optional.empty();
  }
}
