package io.numaspark.agent.proof;

import io.numaspark.agent.proof.KernelUsage.QuotaCounters;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.topology.CpuSet;
import java.util.Map;

/**
 * Says of one pair what the status of the node says.
 *
 * @param node the node's CPUs
 * @param baseline earlier counters by container id
 */
record EntryWriter(NodeCpus node, Map<String, QuotaCounters> baseline) {
  /** Below this the JVM has not even started; a percentage would say nothing. */
  private static final long LEAST_ANON_BYTES = 1024 * 1024;

  ExclusiveContainer write(Pair pair) {
    boolean isGiven = pair.given() != null;
    boolean isRunning = pair.running() != null;
    KernelUsage usage = isRunning ? pair.running().usage().orElseThrow() : null;
    return new ExclusiveContainer(
        isGiven ? pair.given().namespace() : null,
        isGiven ? pair.given().pod() : null,
        isGiven ? pair.given().container() : null,
        isRunning ? pair.running().podUid() : null,
        isRunning ? pair.running().containerId() : null,
        isGiven ? text(pair.given().cpus()) : null,
        isGiven ? text(pair.given().memoryNodes()) : null,
        isRunning ? text(usage.cpus()) : null,
        isRunning ? text(usage.memoryNodes()) : null,
        isRunning ? localMemoryPercent(pair, usage) : null,
        isRunning ? throttledPercent(pair.running().containerId(), usage) : null);
  }

  private static String text(CpuSet set) {
    return set.isEmpty() ? null : set.toString();
  }

  /** Rounded down: 100 is said only if every byte is local. */
  private Integer localMemoryPercent(Pair pair, KernelUsage usage) {
    long total = usage.anonBytes().values().stream().mapToLong(Long::longValue).sum();
    if (total < LEAST_ANON_BYTES) {
      return null;
    }
    CpuSet cpus = pair.given() == null ? usage.cpus() : pair.given().cpus();
    return percent(node.localBytes(cpus, usage.anonBytes()), total);
  }

  /** Absent at the first reading of a container; 0 if it has no quota. */
  private Integer throttledPercent(String containerId, KernelUsage usage) {
    QuotaCounters before = baseline.get(containerId);
    QuotaCounters now = usage.quota().orElse(null);
    if (before == null || now == null) {
      return null;
    }
    long periods = now.periods() - before.periods();
    long throttled = now.throttled() - before.throttled();
    if (periods < 0 || throttled < 0 || throttled > periods) {
      return null; // counters that were reset, or read while they changed
    }
    return periods == 0 ? Integer.valueOf(0) : percent(throttled, periods);
  }

  private static Integer percent(long part, long whole) {
    return (int) (100.0 * part / whole);
  }
}
