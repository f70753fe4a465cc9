package io.numaspark.planner.admission;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NodeTopology;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The CPU manager with policy static (cpumanager/policy_static.go).
 *
 * <p>Limit: no in-place resize and no kubelet restart; containers keep what they got until their
 * pod leaves.
 */
final class StaticCpuManager implements HintProvider {
  private final CpuTopology topology;
  private final CpuManagerOptions options;
  private final CpuAssignment assignment;
  private final BitSet reserved;
  private final BitSet reservedCores;
  private final int[] numaIds;

  /** The shared pool: what no container has exclusively. */
  private final BitSet shared;

  private final Map<String, SortedMap<String, BitSet>> assigned = new HashMap<>();

  /** CPUs that init containers of the pod that is being admitted leave to its other containers. */
  private final BitSet reusable = new BitSet();

  StaticCpuManager(NodeTopology nodeTopology, CpuManagerOptions options, CpuSet reservedCpus) {
    this.topology = CpuTopology.of(nodeTopology);
    this.options = options;
    this.assignment = new CpuAssignment(topology, options);
    this.reserved = CpuTopology.bits(reservedCpus);
    this.reservedCores = new BitSet();
    reserved.stream()
        .forEach(cpu -> reservedCores.or(topology.cores().cpus(topology.cores().indexOf(cpu))));
    this.shared = (BitSet) topology.cpus().clone();
    if (options.strictReservation()) {
      shared.andNot(reserved);
    }
    this.numaIds = IntStream.range(0, topology.numaNodes().size()).map(this::numaId).toArray();
  }

  private int numaId(int index) {
    return topology.numaNodes().id(index);
  }

  /** Forgets what init containers of the pod before left over. */
  void beginPod() {
    reusable.clear();
  }

  @Override
  public List<List<Hint>> hints(ContainerRequest container) {
    return hints(PodRequest.exclusiveCpus(container));
  }

  @Override
  public List<List<Hint>> podHints(PodRequest pod) {
    return hints(pod.peak(PodRequest::exclusiveCpus));
  }

  /** generateCPUTopologyHints. */
  private List<List<Hint>> hints(long request) {
    if (request == 0) {
      return List.of();
    }
    int[] total = new int[numaIds.length];
    int[] free = new int[numaIds.length];
    long mustInclude = 0;
    BitSet available = available();
    for (int index = 0; index < numaIds.length; index++) {
      total[index] = topology.numaNodes().cpuCount(index);
      free[index] = common(topology.numaNodes().cpus(index), available);
      int toReuse = common(topology.numaNodes().cpus(index), reusable);
      free[index] += toReuse;
      mustInclude |= toReuse > 0 ? bit(index) : 0;
    }
    long included = mustInclude;
    List<Long> fitting = new ArrayList<>();
    int[] smallest = {numaIds.length};
    Hint.forEachMask(
        numaIds,
        mask -> {
          if (sum(total, mask) >= request) {
            smallest[0] = Math.min(smallest[0], Long.bitCount(mask));
          }
          if ((mask & included) == included && sum(free, mask) >= request) {
            fitting.add(mask);
          }
        });
    return List.of(
        fitting.stream().map(mask -> Hint.of(mask, isPreferred(mask, smallest[0]))).toList());
  }

  private long bit(int numaIndex) {
    return Hint.bit(numaIds[numaIndex]);
  }

  private long sum(int[] byNumaNode, long mask) {
    long sum = 0;
    for (int index = 0; index < byNumaNode.length; index++) {
      sum += (mask & bit(index)) == 0 ? 0 : byNumaNode[index];
    }
    return sum;
  }

  /** As few NUMA nodes as can be, or with align-by-socket as few sockets (isHintSocketAligned). */
  private boolean isPreferred(long mask, int smallest) {
    if (Long.bitCount(mask) == smallest) {
      return true;
    }
    int perSocket = topology.numaNodes().size() / topology.sockets().size();
    if (!options.alignBySocket() || perSocket == 0) {
      return false;
    }
    return socketsOf(mask).cardinality() == (smallest + perSocket - 1) / perSocket;
  }

  private BitSet socketsOf(long mask) {
    BitSet sockets = new BitSet();
    cpusOf(mask).stream().forEach(cpu -> sockets.set(topology.sockets().indexOf(cpu)));
    return sockets;
  }

  private BitSet cpusOf(long mask) {
    BitSet cpus = new BitSet();
    for (int index = 0; index < numaIds.length; index++) {
      if ((mask & bit(index)) != 0) {
        cpus.or(topology.numaNodes().cpus(index));
      }
    }
    return cpus;
  }

  @Override
  public void allocate(PodRequest pod, ContainerRequest container, Hint affinity)
      throws AdmissionFailure {
    int count = PodRequest.exclusiveCpus(container);
    if (count == 0) {
      return;
    }
    enforceSmtAlignment(count);
    BitSet cpus = take(count, affinity);
    shared.andNot(cpus);
    assigned.computeIfAbsent(pod.name(), name -> new TreeMap<>()).put(container.name(), cpus);
    if (container.role() == ContainerRequest.Role.INIT) {
      reusable.or(cpus);
    } else {
      reusable.andNot(cpus);
    }
  }

  /**
   * Only with full-pcpus-only. CPUs that this pod could use again do not count as free here, as in
   * the kubelet.
   */
  private void enforceSmtAlignment(int count) throws AdmissionFailure {
    if (!options.fullCoresOnly()) {
      return;
    }
    int perCore = topology.cpusPerCore();
    if (count % perCore != 0) {
      throw AdmissionFailure.smtAlignment(
          "requested %d cpus not multiple cpus per core = %d".formatted(count, perCore));
    }
    BitSet inFreeCores = (BitSet) shared.clone();
    inFreeCores.andNot(reservedCores);
    if (count > inFreeCores.cardinality()) {
      throw AdmissionFailure.smtAlignment(
          "not enough free physical CPUs: available physical CPUs = %d, requested CPUs = %d, CPUs per core = %d"
              .formatted(inFreeCores.cardinality(), count, perCore));
    }
  }

  /** As many CPUs of the affinity as there are, the rest from anywhere (allocateCPUs). */
  private BitSet take(int count, Hint affinity) throws AdmissionFailure {
    BitSet available = available();
    available.or(reusable);
    BitSet taken = new BitSet();
    if (affinity.mask().isPresent()) {
      BitSet aligned = aligned(affinity.mask().getAsLong());
      aligned.and(available);
      taken.or(assignment.take(aligned, Math.min(count, aligned.cardinality())));
    }
    available.andNot(taken);
    taken.or(assignment.take(available, count - taken.cardinality()));
    return taken;
  }

  /** The CPUs of the NUMA nodes, or with align-by-socket of their sockets (getAlignedCPUs). */
  private BitSet aligned(long mask) {
    if (!options.alignBySocket()) {
      return cpusOf(mask);
    }
    BitSet cpus = new BitSet();
    socketsOf(mask).stream().forEach(socket -> cpus.or(topology.sockets().cpus(socket)));
    return cpus;
  }

  /** CPUs that could be given exclusively (GetAvailableCPUs). */
  private BitSet available() {
    BitSet available = (BitSet) shared.clone();
    available.andNot(reserved);
    return available;
  }

  CpuSet free() {
    return CpuTopology.set(available());
  }

  @Override
  public void remove(String pod) {
    assigned.getOrDefault(pod, new TreeMap<>()).values().forEach(shared::or);
    assigned.remove(pod);
  }

  /** Exclusive CPUs of a pod's containers by name. */
  SortedMap<String, CpuSet> cpus(String pod) {
    SortedMap<String, CpuSet> byContainer = new TreeMap<>();
    assigned
        .getOrDefault(pod, new TreeMap<>())
        .forEach((container, cpus) -> byContainer.put(container, CpuTopology.set(cpus)));
    return byContainer;
  }

  @Override
  public SortedSet<Integer> numaNodes(String pod) {
    SortedSet<Integer> ids = new TreeSet<>();
    assigned.getOrDefault(pod, new TreeMap<>()).values().stream()
        .flatMapToInt(BitSet::stream)
        .forEach(cpu -> ids.add(numaId(topology.numaNodes().indexOf(cpu))));
    return ids;
  }

  private static int common(BitSet one, BitSet other) {
    BitSet both = (BitSet) one.clone();
    both.and(other);
    return both.cardinality();
  }
}
