package io.numaspark.agent.proof;

import io.numaspark.agent.kubelet.PodResources;
import io.numaspark.planner.topology.CpuSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The node's CPUs, as far as the proof of pinning needs them.
 *
 * @param online all CPUs that are online
 * @param allocatable those that the kubelet gives to containers for themselves
 * @param byNode CPUs by id of their NUMA node
 */
public record NodeCpus(CpuSet online, CpuSet allocatable, Map<Integer, CpuSet> byNode) {

  /**
   * The sets that containers without CPUs of their own may have: what is left of all CPUs, or, if
   * the kubelet runs with strict-cpu-reservation, of the allocatable ones (defaultCPUSet of the
   * kubelet's static policy).
   */
  public Set<CpuSet> sharedPools(List<PodResources> given) {
    CpuSet exclusive = CpuSet.unionOf(given.stream().map(PodResources::cpus).toList());
    Set<CpuSet> pools = new LinkedHashSet<>();
    pools.add(online.minus(exclusive));
    pools.add(allocatable.minus(exclusive));
    return pools;
  }

  /** How many of the bytes are on NUMA nodes that some of these CPUs belong to. */
  long localBytes(CpuSet cpus, Map<Integer, Long> bytesByNode) {
    long local = 0;
    for (Map.Entry<Integer, Long> entry : bytesByNode.entrySet()) {
      if (byNode.getOrDefault(entry.getKey(), CpuSet.EMPTY).intersects(cpus)) {
        local += entry.getValue();
      }
    }
    return local;
  }
}
