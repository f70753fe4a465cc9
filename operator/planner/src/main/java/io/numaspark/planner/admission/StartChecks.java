package io.numaspark.planner.admission;

import io.numaspark.planner.admission.StartProblem.Kind;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import io.numaspark.planner.topology.TopologyManagerPolicy;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Why a kubelet does not start with some settings on some machine.
 *
 * <p>Limit: only what decides about CPUs and memory; a kubelet has more to check.
 */
public final class StartChecks {
  /** The kubelet goes through all 2^n sets of NUMA nodes for each pod. */
  private static final int LARGEST_NUMA_COUNT = 16;

  /** And with these policies through all pairs of such sets, one of CPUs and one of memory. */
  private static final int LARGEST_NUMA_COUNT_OF_PAIRS = 12;

  private final Machine machine;
  private final KubeletSettings kubelet;
  private final boolean topologyManager;
  private final boolean staticCpuManager;
  private final boolean staticMemoryManager;

  private StartChecks(Machine machine) {
    this.machine = machine;
    this.kubelet = machine.kubelet();
    this.topologyManager = kubelet.topologyManagerPolicy() != TopologyManagerPolicy.NONE;
    this.staticCpuManager = kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC;
    this.staticMemoryManager = kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
  }

  /**
   * All problems in the order in which the kubelet looks (container_manager_linux.go:
   * NewContainerManager); it ends at the first that is not {@link Kind#NOT_COVERED}.
   *
   * @return empty if the kubelet starts, and this model covers it
   */
  public static List<StartProblem> problems(Machine machine) {
    StartChecks checks = new StartChecks(machine);
    KubeletSettings kubelet = machine.kubelet();
    return Stream.of(
            OptionChecks.featureGates(kubelet),
            checks.offlineCpus(),
            OptionChecks.topologyManager(kubelet),
            checks.distances(),
            checks.numberOfNumaNodes(),
            OptionChecks.cpuManager(kubelet),
            checks.reservedCpus(),
            OptionChecks.alignBySocket(kubelet),
            checks.numaNodesOfReservedMemory(),
            checks.someReservedMemory(),
            checks.nodeAllocatable())
        .flatMap(Function.identity())
        .toList();
  }

  /** numa_info.go: NewNUMAInfo. */
  private Stream<StartProblem> distances() {
    String option = KubeletSettings.PREFER_CLOSEST_NUMA_NODES;
    return topologyManager
            && KubeletSettings.isTrue(kubelet.topologyManager().options().get(option))
        ? machine.topology().numaNodes().stream()
            .filter(node -> node.distances().isEmpty())
            .map(
                node ->
                    new StartProblem(
                        Kind.OPTION_INVALID,
                        "spec.numaNodes[id=" + node.id() + "].distances",
                        option + " needs the distances of every NUMA node",
                        "add them, or remove the option"))
        : Stream.empty();
  }

  private Stream<StartProblem> numberOfNumaNodes() {
    // All NUMA nodes count, with and without CPUs (topology_manager.go: NewManager).
    int nodes = machine.topology().numaNodes().size();
    long allowed = OptionChecks.maxNumaNodes(kubelet);
    boolean tooMany = topologyManager && nodes > allowed;
    boolean goesThroughSets = topologyManager || staticMemoryManager;
    return Stream.concat(
        tooMany
            ? Stream.of(
                new StartProblem(
                    Kind.TOO_MANY_NUMA_NODES,
                    "spec.kubelet.topologyManagerPolicyOptions."
                        + KubeletSettings.MAX_ALLOWABLE_NUMA_NODES,
                    "the node has %d NUMA nodes, and the Topology Manager takes at most %d"
                        .formatted(nodes, allowed),
                    "set topologyManagerPolicyOptions: {max-allowable-numa-nodes: \"%d\"}, or combine NUMA nodes in the"
                            .formatted(nodes)
                        + " firmware"))
            : Stream.empty(),
        goesThroughSets && nodes > mostNumaNodes()
            ? Stream.of(
                new StartProblem(
                    Kind.NOT_COVERED,
                    "spec.numaNodes",
                    "with %d NUMA nodes the kubelet tries at least 2^%d sets of them for each pod"
                        .formatted(nodes, nodes),
                    "combine NUMA nodes in the firmware; with these policies at most %d are covered"
                        .formatted(mostNumaNodes())))
            : Stream.empty());
  }

  /** The NUMA nodes that are covered with these policies. */
  private int mostNumaNodes() {
    return topologyManager
            && kubelet.topologyManagerPolicy() != TopologyManagerPolicy.SINGLE_NUMA_NODE
        ? LARGEST_NUMA_COUNT_OF_PAIRS
        : LARGEST_NUMA_COUNT;
  }

  /** Whatever the CPU manager's policy (cmd/kubelet/app/server.go: getReservedCPUs). */
  private Stream<StartProblem> offlineCpus() {
    CpuSet online = machine.topology().cpus();
    CpuSet offline = machine.reservedCpus().minus(online);
    return offline.isEmpty()
        ? Stream.empty()
        : Stream.of(
            new StartProblem(
                Kind.RESERVED_CPUS_OFFLINE,
                "spec.kubelet.reservedCpus",
                "CPUs %s are not online on this node (%s)".formatted(offline, online),
                "correct it, and reservedSystemCPUs of the kubelet"));
  }

  /** policy_static.go of cpumanager: NewStaticPolicy. */
  private Stream<StartProblem> reservedCpus() {
    return staticCpuManager && machine.reservedCpus().isEmpty()
        ? Stream.of(
            new StartProblem(
                Kind.CPUS_NOT_RESERVED,
                "spec.kubelet.reservedCpus",
                "the CPU manager policy static needs a CPU reservation",
                "set it, and reservedSystemCPUs of the kubelet, to all threads of one core, for example \"%s\""
                    .formatted(machine.topology().cores().get(0).threads())))
        : Stream.empty();
  }

  /** policy_static.go of memorymanager: getTotalMemoryTypeReserved. */
  private Stream<StartProblem> numaNodesOfReservedMemory() {
    List<Integer> ids = machine.topology().numaNodes().stream().map(NumaNode::id).toList();
    return staticMemoryManager
        ? Stream.concat(
                kubelet.memoryManager().reservedBytes().keySet().stream(),
                kubelet.memoryManager().reservedHugepageBytes().keySet().stream())
            .distinct()
            .filter(id -> !ids.contains(id))
            .map(
                id ->
                    new StartProblem(
                        Kind.RESERVED_MEMORY_INVALID,
                        "spec.kubelet.reservedMemory[" + id + "]",
                        "there is no NUMA node " + id,
                        "correct it, and reservedMemory of the kubelet: write one of " + ids))
        : Stream.empty();
  }

  /** policy_static.go of memorymanager: NewPolicyStatic. */
  private Stream<StartProblem> someReservedMemory() {
    return staticMemoryManager && reservedBytes() <= 0
        ? Stream.of(
            new StartProblem(
                Kind.MEMORY_NOT_RESERVED,
                "spec.kubelet.reservedMemory",
                "the Memory Manager policy Static needs reserved memory",
                "set it, and reservedMemory of the kubelet, so that it sums to kubeReserved + systemReserved +"
                    + " evictionHard; `numaspark kubelet-config` writes it"))
        : Stream.empty();
  }

  /** node_container_manager_linux.go: validateNodeAllocatable. */
  private Stream<StartProblem> nodeAllocatable() {
    long bytes = sum(machine.topology().numaNodes().stream().map(NumaNode::memoryBytes));
    return reservedBytes() > bytes
        ? Stream.of(
            new StartProblem(
                Kind.RESERVED_MEMORY_TOO_LARGE,
                "spec.kubelet.reservedMemory",
                "%d bytes are reserved of %d that the node has".formatted(reservedBytes(), bytes),
                "reserve less memory"))
        : Stream.empty();
  }

  private long reservedBytes() {
    return sum(kubelet.memoryManager().reservedBytes().values().stream());
  }

  /** Bytes, or the largest long: the kubelet's quantities do not overflow. */
  private static long sum(Stream<Long> bytes) {
    return bytes.reduce(0L, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b);
  }
}
