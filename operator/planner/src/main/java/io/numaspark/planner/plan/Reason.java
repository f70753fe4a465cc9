package io.numaspark.planner.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Why something is a finding or a shortfall; the display name is part of the API of conditions and
 * JSON, and docs/findings.md explains each.
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
  MEMORY_UNSPENT,
  BETTER_RESERVATION,

  // The kubelet's options and reservations.
  KUBELET_NOT_COVERED,
  KUBELET_OPTION_INVALID,
  CPU_MANAGER_OPTIONS_CONFLICT,
  OPTION_NEEDS_FEATURE_GATE,
  OPTION_WITHOUT_EFFECT,
  UNCORE_CACHE_NOT_ALIGNED,
  RESERVATION_NOT_EXPLICIT,
  MEMORY_NOT_RESERVED,
  RESERVED_MEMORY_INVALID,
  RESERVED_MEMORY_TOO_LARGE,
  HUGEPAGES_TAKE_MEMORY,

  // Pins by the container runtime.
  KUBELET_PINS_ITSELF,
  PINNED_BY_RUNTIME,
  CORES_WITH_FEWER_THREADS,
  CPU_LIMIT_THROTTLES,

  // The machine.
  TOO_MANY_NUMA_NODES,
  NUMA_NODE_WITHOUT_CPUS,
  NUMA_NODES_DIFFER,
  MEMORY_SLOWER_THAN_RATED,

  // A pod, as it would be admitted to a node.
  POD_NOT_GUARANTEED,
  CPU_NOT_WHOLE,
  CPU_NOT_WHOLE_CORES,
  POD_LEVEL_RESOURCES,
  POD_DOES_NOT_FIT,
  POD_NOT_ANNOTATED,
  EXCLUSIVE_HELPER_CONTAINER,
  RUNTIME_CLASS_OVERHEAD,
  APPLICATION_NOT_PINNED,
  APPLICATION_REFUSED;

  /** CamelCase, for example CpuManagerNotStatic. */
  public String displayName() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
