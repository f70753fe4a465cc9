package io.numaspark.planner.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Why something is a finding or a shortfall; the display name is part of the API of conditions and
 * JSON.
 */
public enum Reason {
  CPU_MANAGER_NOT_STATIC,
  TOPOLOGY_MANAGER_NOT_SINGLE_NUMA_NODE,
  TOPOLOGY_MANAGER_SCOPE_NOT_POD,
  MEMORY_MANAGER_NOT_STATIC,
  FULL_PCPUS_ONLY_OFF,
  NO_CPU_RESERVATION,
  RESERVED_CPUS_OFFLINE,
  LONE_RESERVED_THREAD,
  OFFLINE_SIBLING,
  NUMA_ID_TOO_LARGE,
  SMT_NOT_DISABLED,
  MIXED_THREADS_PER_CORE,
  HEAP_NOT_COMPRESSED,
  HEAP_NOT_ZERO_BASED,
  STRICT_RESERVATION_FULLY_PACKED,
  NO_USABLE_NODE,
  CORE_RANGE_EMPTY,
  EXECUTOR_TOO_LARGE,
  EXECUTOR_MEMORY_TOO_SMALL,
  MEMORY_LIMITS_SLOTS,
  BETTER_RESERVATION;

  /** CamelCase, for example CpuManagerNotStatic. */
  public String displayName() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
