package io.numaspark.planner.capacity;

/**
 * What a pod, or one container of it, holds exclusively in one NUMA node.
 *
 * @param cpus exclusive CPUs, 0 for a claim of memory alone
 * @param memoryBytes memory that the Memory Manager counts there, 0 for none
 */
public record Claim(int cpus, long memoryBytes) {
  public Claim {
    if (cpus < 0 || memoryBytes < 0) {
      throw new IllegalArgumentException(
          "a claim of %d CPUs and %d bytes: neither can be negative".formatted(cpus, memoryBytes));
    }
  }

  boolean isEmpty() {
    return cpus == 0 && memoryBytes == 0;
  }
}
