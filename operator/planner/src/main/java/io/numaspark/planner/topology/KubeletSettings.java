package io.numaspark.planner.topology;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The part of a kubelet's configuration that decides who gets which CPUs and which memory.
 *
 * @param cpuManagerOptions the cpuManagerPolicyOptions that are "true"
 * @param reservedMemoryBytes reservedMemory by NUMA node id; an absent node reserves nothing
 */
public record KubeletSettings(
    CpuManagerPolicy cpuManagerPolicy,
    Set<String> cpuManagerOptions,
    TopologyManagerPolicy topologyManagerPolicy,
    TopologyManagerScope topologyManagerScope,
    MemoryManagerPolicy memoryManagerPolicy,
    CpuReservation reservedCpus,
    Map<Integer, Long> reservedMemoryBytes) {

  public static final String FULL_PCPUS_ONLY = "full-pcpus-only";
  public static final String STRICT_CPU_RESERVATION = "strict-cpu-reservation";

  public KubeletSettings {
    cpuManagerOptions = Set.copyOf(cpuManagerOptions);
    reservedMemoryBytes = Map.copyOf(new TreeMap<>(reservedMemoryBytes));
  }

  public boolean hasOption(String option) {
    return cpuManagerOptions.contains(option);
  }
}
