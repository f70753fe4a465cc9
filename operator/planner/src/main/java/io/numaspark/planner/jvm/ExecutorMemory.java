package io.numaspark.planner.jvm;

import java.util.Optional;

/**
 * Memory of one executor in bytes; each part is whole MiB, as Spark computes in MiB.
 *
 * <p>The parts add up to what Spark requests for the pod (BasicExecutorFeatureStep: heap + overhead
 * + off-heap; memory for Python workers is part of the overhead here).
 */
public record ExecutorMemory(long heapBytes, long overheadBytes, long offHeapBytes) {
  public static final long MIB = 1L << 20;

  /** UnifiedMemoryManager refuses a heap below 1.5 times its 300 MiB of reserved memory. */
  public static final long SMALLEST_HEAP_BYTES = 450 * MIB;

  /** Memory request and limit of the pod. */
  public long podBytes() {
    return heapBytes + overheadBytes + offHeapBytes;
  }

  /**
   * The executor with the largest heap whose pod takes at most the given memory.
   *
   * @return empty if less than {@link #SMALLEST_HEAP_BYTES} would remain for the heap
   */
  public static Optional<ExecutorMemory> largestWithin(long podBytes, MemoryPolicy policy) {
    long offHeap = roundedUp(policy.offHeapBytes());
    long minOverhead = roundedUp(policy.minOverheadBytes());
    long heapLimit = policy.maxHeapBytes() / MIB * MIB;
    long forHeapAndOverhead = podBytes - offHeap;
    // heap + floor(factor x heap) <= rest; the division may be off by a MiB either way, so start
    // above and come down.
    long heap =
        Math.min(
            heapLimit,
            (long) (forHeapAndOverhead / (1 + policy.overheadFactor())) / MIB * MIB + MIB);
    while (heap >= SMALLEST_HEAP_BYTES) {
      ExecutorMemory memory =
          new ExecutorMemory(heap, overhead(heap, policy.overheadFactor(), minOverhead), offHeap);
      if (memory.podBytes() <= podBytes) {
        return Optional.of(memory);
      }
      long excess = memory.podBytes() - podBytes;
      heap -= Math.max(MIB, excess / 2 / MIB * MIB);
    }
    return Optional.empty();
  }

  /** Spark's rule in MiB: max(floor(factor x heap), minimum). */
  private static long overhead(long heapBytes, double factor, long minOverheadBytes) {
    return Math.max((long) (factor * (heapBytes / MIB)) * MIB, minOverheadBytes);
  }

  private static long roundedUp(long bytes) {
    return (bytes + MIB - 1) / MIB * MIB;
  }
}
