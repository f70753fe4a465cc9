package io.numaspark.planner.jvm;

import java.util.Optional;

/**
 * Memory of one executor in bytes; each part is whole MiB, as Spark computes in MiB.
 *
 * <p>The parts add up to what Spark requests for the pod (ResourceProfile and
 * BasicExecutorFeatureStep); a test holds the sum to pods that Spark 3.5, 4.1 and 4.3 built.
 *
 * @param heapBytes spark.executor.memory
 * @param overheadBytes threads, metaspace, direct buffers, and Python workers without a limit of
 *     their own
 * @param offHeapBytes spark.memory.offHeap.size, 0 for none
 * @param pysparkBytes spark.executor.pyspark.memory, which Spark adds for Python applications only;
 *     0 for none
 * @param shuffleBytes a tmpfs or pages with shuffle data, 0 for none; Spark counts it as a part of
 *     the overhead or of the off-heap memory, because it has no property of its own
 * @param pageCacheBytes for files that the executor reads and writes; Spark counts it as a part of
 *     the overhead. Nothing holds it back from the other parts: it is what they leave
 */
public record ExecutorMemory(
    long heapBytes,
    long overheadBytes,
    long offHeapBytes,
    long pysparkBytes,
    long shuffleBytes,
    long pageCacheBytes) {
  public static final long MIB = 1L << 20;

  /** UnifiedMemoryManager refuses a heap below 1.5 times its 300 MiB of reserved memory. */
  public static final long SMALLEST_HEAP_BYTES = 450 * MIB;

  /** An executor without Python workers, shuffle data in memory and planned page cache. */
  public ExecutorMemory(long heapBytes, long overheadBytes, long offHeapBytes) {
    this(heapBytes, overheadBytes, offHeapBytes, 0, 0, 0);
  }

  /** Memory request and limit of the pod. */
  public long podBytes() {
    return heapBytes + overheadBytes + offHeapBytes + pysparkBytes + shuffleBytes + pageCacheBytes;
  }

  /** spark.executor.memoryOverhead: Spark has no property of its own for page cache. */
  public long sparkOverheadBytes() {
    return overheadBytes + pageCacheBytes;
  }

  /**
   * The same executor in a pod of the given size: page cache takes the rest.
   *
   * @throws IllegalArgumentException if the other parts do not fit
   */
  public ExecutorMemory filling(long podBytes) {
    long rest = podBytes - withPageCacheBytes(0).podBytes();
    if (rest < 0) {
      throw new IllegalArgumentException(
          "a pod of %d bytes is smaller by %d than its executor".formatted(podBytes, -rest));
    }
    return withPageCacheBytes(rest);
  }

  /** The same executor with a limit of its own for Python workers: a larger pod. */
  public ExecutorMemory withPysparkBytes(long bytes) {
    return new ExecutorMemory(
        heapBytes, overheadBytes, offHeapBytes, bytes, shuffleBytes, pageCacheBytes);
  }

  /** The same executor with that much shuffle data added: a larger pod. */
  public ExecutorMemory withShuffleBytes(long bytes) {
    return new ExecutorMemory(
        heapBytes, overheadBytes, offHeapBytes, pysparkBytes, roundedUp(bytes), pageCacheBytes);
  }

  /** The same executor with that much page cache: a larger or smaller pod. */
  public ExecutorMemory withPageCacheBytes(long bytes) {
    return new ExecutorMemory(
        heapBytes, overheadBytes, offHeapBytes, pysparkBytes, shuffleBytes, bytes);
  }

  /**
   * The executor that Spark makes of a heap: the overhead is max(floor(factor x heap), minimum) in
   * MiB. Of page cache it has the least that the policy admits.
   *
   * @param heapBytes whole MiB
   */
  public static ExecutorMemory ofHeap(long heapBytes, MemoryPolicy policy) {
    long share = (long) (policy.overheadFactor() * (heapBytes / MIB)) * MIB;
    return new ExecutorMemory(
        heapBytes,
        Math.max(share, roundedUp(policy.minOverheadBytes())),
        roundedUp(policy.offHeapBytes()),
        roundedUp(policy.pysparkBytes()),
        roundedUp(policy.shuffleBytes()),
        roundedUp(policy.pageCache().minBytes()));
  }

  /**
   * The executor with the largest heap whose pod takes at most the given memory, with the least
   * page cache that the policy admits.
   *
   * @return empty if less than {@link #SMALLEST_HEAP_BYTES} would remain for the heap
   */
  public static Optional<ExecutorMemory> largestWithin(long podBytes, MemoryPolicy policy) {
    long heapLimit = policy.maxHeapBytes() / MIB * MIB;
    ExecutorMemory smallest = ofHeap(0, policy);
    long forHeapAndOverhead = podBytes - smallest.podBytes() + smallest.overheadBytes();
    // heap + floor(factor x heap) <= rest; the division may be off by a MiB either way, so start
    // above and come down.
    long heap =
        Math.min(
            heapLimit,
            (long) (forHeapAndOverhead / (1 + policy.overheadFactor())) / MIB * MIB + MIB);
    while (heap >= SMALLEST_HEAP_BYTES) {
      ExecutorMemory memory = ofHeap(heap, policy);
      if (memory.podBytes() <= podBytes) {
        return Optional.of(memory);
      }
      long excess = memory.podBytes() - podBytes;
      heap -= Math.max(MIB, excess / 2 / MIB * MIB);
    }
    return Optional.empty();
  }

  private static long roundedUp(long bytes) {
    return (bytes + MIB - 1) / MIB * MIB;
  }
}
