package io.numaspark.planner.admission;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts of the resources that a kubelet places on NUMA nodes.
 *
 * @param cpu CPUs, exact (0.5 is 500m)
 * @param memory bytes
 * @param hugepages bytes by page size as in the resource's name (2Mi, 1Gi)
 */
public record ResourceAmounts(
    Optional<BigDecimal> cpu,
    Optional<BigDecimal> memory,
    SortedMap<String, BigDecimal> hugepages) {

  public static final ResourceAmounts NONE =
      new ResourceAmounts(Optional.empty(), Optional.empty(), new TreeMap<>());

  public ResourceAmounts {
    hugepages = new TreeMap<>(hugepages);
  }

  /** Whole CPUs and bytes, without huge pages. */
  public static ResourceAmounts of(int cpus, long memoryBytes) {
    return new ResourceAmounts(
        Optional.of(BigDecimal.valueOf(cpus)),
        Optional.of(BigDecimal.valueOf(memoryBytes)),
        new TreeMap<>());
  }

  /** These amounts, and another's where these have none. */
  ResourceAmounts orElse(ResourceAmounts other) {
    SortedMap<String, BigDecimal> pages = new TreeMap<>(other.hugepages);
    pages.putAll(hugepages);
    return new ResourceAmounts(cpu.or(other::cpu), memory.or(other::memory), pages);
  }
}
