package io.numaspark.planner.jvm;

/**
 * What a profile says about an executor's memory; all defaults are applied.
 *
 * @param maxHeapBytes largest heap
 * @param overheadFactor share of the heap outside of it, 0 to 1
 * @param minOverheadBytes least memory outside of the heap
 * @param offHeapBytes spark.memory.offHeap.size, 0 for none
 */
public record MemoryPolicy(
    long maxHeapBytes, double overheadFactor, long minOverheadBytes, long offHeapBytes) {

  /**
   * Spark's default overhead factor of Python and R applications
   * (spark.kubernetes.memoryOverheadFactor).
   */
  public static final double NON_JVM_OVERHEAD_FACTOR = 0.40;

  /** The same policy with an overhead factor of at least the given one. */
  public MemoryPolicy withOverheadFactorAtLeast(double factor) {
    return new MemoryPolicy(
        maxHeapBytes, Math.max(overheadFactor, factor), minOverheadBytes, offHeapBytes);
  }
}
