package io.numaspark.planner.topology;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The part of a kubelet's configuration that decides who gets which CPUs and which memory.
 *
 * <p>Limit: it holds what was configured, whether or not a kubelet would start with it; {@code
 * io.numaspark.planner.admission} knows that.
 *
 * @param featureGates the feature gates that are set; an absent one has the kubelet's default
 * @param version empty if it is not known; the kubelet then counts as the newest that is modelled
 */
public record KubeletSettings(
    CpuManager cpuManager,
    TopologyManager topologyManager,
    MemoryManager memoryManager,
    SortedMap<String, Boolean> featureGates,
    Optional<KubeletVersion> version) {

  public static final String FULL_PCPUS_ONLY = "full-pcpus-only";
  public static final String STRICT_CPU_RESERVATION = "strict-cpu-reservation";
  public static final String PREFER_ALIGN_CPUS_BY_UNCORECACHE = "prefer-align-cpus-by-uncorecache";
  public static final String DISTRIBUTE_CPUS_ACROSS_NUMA = "distribute-cpus-across-numa";
  public static final String ALIGN_BY_SOCKET = "align-by-socket";
  public static final String DISTRIBUTE_CPUS_ACROSS_CORES = "distribute-cpus-across-cores";
  public static final String PREFER_CLOSEST_NUMA_NODES = "prefer-closest-numa-nodes";
  public static final String MAX_ALLOWABLE_NUMA_NODES = "max-allowable-numa-nodes";

  /** What Go's strconv.ParseBool takes for true, which is how the kubelet reads its options. */
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  public KubeletSettings {
    featureGates = new TreeMap<>(featureGates);
  }

  /** The settings of a kubelet whose version is not known. */
  public KubeletSettings(
      CpuManager cpuManager,
      TopologyManager topologyManager,
      MemoryManager memoryManager,
      SortedMap<String, Boolean> featureGates) {
    this(cpuManager, topologyManager, memoryManager, featureGates, Optional.empty());
  }

  /** The same settings of a kubelet of another version. */
  public KubeletSettings withVersion(Optional<KubeletVersion> other) {
    return new KubeletSettings(cpuManager, topologyManager, memoryManager, featureGates, other);
  }

  /**
   * The CPU manager.
   *
   * @param options cpuManagerPolicyOptions as written
   */
  public record CpuManager(
      CpuManagerPolicy policy, SortedMap<String, String> options, CpuReservation reserved) {
    public CpuManager {
      options = new TreeMap<>(options);
    }
  }

  /**
   * The Topology Manager.
   *
   * @param options topologyManagerPolicyOptions as written
   */
  public record TopologyManager(
      TopologyManagerPolicy policy, TopologyManagerScope scope, SortedMap<String, String> options) {
    public TopologyManager {
      options = new TreeMap<>(options);
    }
  }

  /**
   * The Memory Manager.
   *
   * @param reservedBytes reservedMemory of type memory by NUMA node id; an absent node reserves
   *     nothing
   * @param reservedHugepageBytes reservedMemory of huge pages, by NUMA node id and page size
   */
  public record MemoryManager(
      MemoryManagerPolicy policy,
      SortedMap<Integer, Long> reservedBytes,
      SortedMap<Integer, Map<String, Long>> reservedHugepageBytes) {
    public MemoryManager {
      reservedBytes = new TreeMap<>(reservedBytes);
      reservedHugepageBytes = new TreeMap<>(reservedHugepageBytes);
    }
  }

  public CpuManagerPolicy cpuManagerPolicy() {
    return cpuManager.policy();
  }

  public CpuReservation reservedCpus() {
    return cpuManager.reserved();
  }

  public TopologyManagerPolicy topologyManagerPolicy() {
    return topologyManager.policy();
  }

  public TopologyManagerScope topologyManagerScope() {
    return topologyManager.scope();
  }

  public MemoryManagerPolicy memoryManagerPolicy() {
    return memoryManager.policy();
  }

  /** reservedMemory of type memory by NUMA node id; an absent node reserves nothing. */
  public Map<Integer, Long> reservedMemoryBytes() {
    return memoryManager.reservedBytes();
  }

  /** Whether an option of the CPU manager is on. */
  public boolean hasOption(String option) {
    return isTrue(cpuManager.options().get(option));
  }

  /** Whether the kubelet reads an option's value as true. */
  public static boolean isTrue(String value) {
    return value != null && TRUE.contains(value);
  }
}
