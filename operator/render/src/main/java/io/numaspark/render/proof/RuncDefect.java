package io.numaspark.render.proof;

import io.numaspark.planner.topology.CpuSet;

/**
 * What runc before 1.1.6 does to the CPUs of containers: it gives sets to systemd with their bytes
 * in the wrong order (opencontainers/runc issue 3808), and systemd applies them when it is
 * reloaded. The agent's cpus.Swapped is the same.
 */
final class RuncDefect {
  private static final int BITS = 8;

  private RuncDefect() {}

  /** Whether the kernel has what becomes of the given CPUs; never if these are all below 8. */
  static boolean explains(CpuSet given, CpuSet kernel) {
    return !given.isEmpty() && !kernel.equals(given) && kernel.equals(swapped(given));
  }

  private static CpuSet swapped(CpuSet given) {
    int last = given.stream().max().orElseThrow() / BITS;
    return CpuSet.of(given.stream().map(id -> BITS * (last - id / BITS) + id % BITS));
  }
}
