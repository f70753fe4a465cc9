package io.numaspark.planner.jvm;

/**
 * What a profile and its application say about an executor's memory; all defaults are applied.
 *
 * @param maxHeapBytes largest heap
 * @param overheadFactor share of the heap outside of it, 0 to 1
 * @param minOverheadBytes least memory outside of the heap
 * @param offHeapBytes spark.memory.offHeap.size, 0 for none
 * @param pysparkBytes spark.executor.pyspark.memory of a Python application, 0 for none
 * @param shuffleBytes memory for shuffle data that is not kept on disk, 0 for none
 * @param pageCache what of the slot's share is kept for files
 * @param freePercent of the allocatable memory of each NUMA node that executors leave to other pods
 *     where the kubelet pins, 0 to 90; where the runtime pins, RuntimePinning says it
 */
public record MemoryPolicy(
    long maxHeapBytes,
    double overheadFactor,
    long minOverheadBytes,
    long offHeapBytes,
    long pysparkBytes,
    long shuffleBytes,
    PageCachePolicy pageCache,
    int freePercent) {

  /**
   * Spark's default overhead factor of Python and R applications
   * (spark.kubernetes.memoryOverheadFactor).
   */
  public static final double NON_JVM_OVERHEAD_FACTOR = 0.40;

  public MemoryPolicy {
    if (freePercent < 0 || freePercent > 90) {
      throw new IllegalArgumentException(
          freePercent + " % of memory for other pods is not 0 to 90");
    }
  }

  /** Heap and what is around it: no Python workers, shuffle data in memory and page cache. */
  public MemoryPolicy(
      long maxHeapBytes, double overheadFactor, long minOverheadBytes, long offHeapBytes) {
    this(
        maxHeapBytes,
        overheadFactor,
        minOverheadBytes,
        offHeapBytes,
        0,
        0,
        PageCachePolicy.NONE,
        0);
  }

  /**
   * The pod of an executor with no more page cache than it has to have, in bytes: what limits how
   * many there are, because the rest of the cache only takes what they leave.
   */
  public long leastPodBytes(ExecutorMemory memory) {
    return memory.withPageCacheBytes(ExecutorMemory.ofHeap(0, this).pageCacheBytes()).podBytes();
  }

  /** The same policy with an overhead factor of at least the given one. */
  public MemoryPolicy withOverheadFactorAtLeast(double factor) {
    return copy(
        Math.max(overheadFactor, factor), pysparkBytes, shuffleBytes, pageCache, freePercent);
  }

  /** The same policy with memory of its own for the Python workers. */
  public MemoryPolicy withPysparkBytes(long bytes) {
    return copy(overheadFactor, bytes, shuffleBytes, pageCache, freePercent);
  }

  /** The same policy with that much memory for shuffle data. */
  public MemoryPolicy withShuffleBytes(long bytes) {
    return copy(overheadFactor, pysparkBytes, bytes, pageCache, freePercent);
  }

  /** The same policy with other page cache. */
  public MemoryPolicy withPageCache(PageCachePolicy policy) {
    return copy(overheadFactor, pysparkBytes, shuffleBytes, policy, freePercent);
  }

  /** The same policy with other memory for other pods. */
  public MemoryPolicy withFreePercent(int percent) {
    return copy(overheadFactor, pysparkBytes, shuffleBytes, pageCache, percent);
  }

  private MemoryPolicy copy(
      double factor, long pyspark, long shuffle, PageCachePolicy cache, int percent) {
    return new MemoryPolicy(
        maxHeapBytes, factor, minOverheadBytes, offHeapBytes, pyspark, shuffle, cache, percent);
  }
}
