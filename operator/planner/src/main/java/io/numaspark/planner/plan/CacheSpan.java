package io.numaspark.planner.plan;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.NumaNode;

/**
 * How the CPUs of an executor lie on the last-level caches of its NUMA node.
 *
 * <p>Limit: without known caches a NUMA node counts as one domain.
 */
final class CacheSpan {
  private CacheSpan() {}

  /** Last-level cache domains that the CPUs touch, at least 1. */
  static int domains(NumaNode home, CpuSet cpus) {
    return (int) Math.max(1, home.caches().stream().filter(cpus::intersects).count());
  }

  /** Whether the CPUs touch more domains than as many CPUs have to. */
  static boolean straddles(NumaNode home, CpuSet cpus) {
    int largest = home.caches().stream().mapToInt(CpuSet::size).max().orElse(0);
    if (largest == 0) {
      return false;
    }
    int needed = (cpus.size() + largest - 1) / largest;
    return domains(home, cpus) > needed;
  }
}
