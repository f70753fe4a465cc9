package io.numaspark.agent.proof;

import io.numaspark.planner.topology.CpuSet;
import java.util.Map;
import java.util.Optional;

/**
 * What the kernel lets a container use, and what it has used so far.
 *
 * @param cpus CPUs it may run on ({@code cpuset.cpus.effective})
 * @param memoryNodes NUMA nodes it may take memory from ({@code cpuset.mems.effective})
 * @param anonBytes bytes of anonymous memory by NUMA node ({@code anon} of {@code
 *     memory.numa_stat}); empty if the kernel does not tell
 * @param quota its CPU quota's counters; absent if the kernel does not tell
 */
public record KernelUsage(
    CpuSet cpus, CpuSet memoryNodes, Map<Integer, Long> anonBytes, Optional<QuotaCounters> quota) {

  /**
   * Counters of {@code cpu.stat} since the container started.
   *
   * @param periods periods in which the quota was enforced ({@code nr_periods})
   * @param throttled those of them in which the container had to wait ({@code nr_throttled})
   */
  public record QuotaCounters(long periods, long throttled) {}
}
