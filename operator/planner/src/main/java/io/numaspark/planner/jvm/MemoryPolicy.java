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
 */
public record MemoryPolicy(
    long maxHeapBytes,
    double overheadFactor,
    long minOverheadBytes,
    long offHeapBytes,
    long pysparkBytes,
    long shuffleBytes) {

  /**
   * Spark's default overhead factor of Python and R applications
   * (spark.kubernetes.memoryOverheadFactor).
   */
  public static final double NON_JVM_OVERHEAD_FACTOR = 0.40;

  /** A policy without a limit of its own for Python workers: they share the overhead. */
  public MemoryPolicy(
      long maxHeapBytes, double overheadFactor, long minOverheadBytes, long offHeapBytes) {
    this(maxHeapBytes, overheadFactor, minOverheadBytes, offHeapBytes, 0, 0);
  }

  /** The same policy with an overhead factor of at least the given one. */
  public MemoryPolicy withOverheadFactorAtLeast(double factor) {
    return new MemoryPolicy(
        maxHeapBytes,
        Math.max(overheadFactor, factor),
        minOverheadBytes,
        offHeapBytes,
        pysparkBytes,
        shuffleBytes);
  }

  /** The same policy with memory of its own for the Python workers. */
  public MemoryPolicy withPysparkBytes(long bytes) {
    return new MemoryPolicy(
        maxHeapBytes, overheadFactor, minOverheadBytes, offHeapBytes, bytes, shuffleBytes);
  }

  /** The same policy with that much memory for shuffle data. */
  public MemoryPolicy withShuffleBytes(long bytes) {
    return new MemoryPolicy(
        maxHeapBytes, overheadFactor, minOverheadBytes, offHeapBytes, pysparkBytes, bytes);
  }
}
