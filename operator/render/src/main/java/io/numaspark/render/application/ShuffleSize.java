package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.ShuffleSpec.Storage;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.text.MemorySize;

/** Where an application keeps its shuffle data, and how much memory that takes. */
public final class ShuffleSize {
  /** The share of the heap that shuffle data gets beside it where the application says nothing. */
  private static final int HEAP_SHARE = 4;

  private ShuffleSize() {}

  /** Where shuffle data is kept. */
  public static Storage storage(SparkApplicationSpec spec) {
    return spec.shuffle() == null ? Storage.Disk : spec.shuffle().storage();
  }

  public static boolean inMemory(SparkApplicationSpec spec) {
    return storage(spec) != Storage.Disk;
  }

  /**
   * Bytes of shuffle data that one executor keeps in memory beside the given heap.
   *
   * @return 0 if it keeps them on disk
   */
  public static long bytesBeside(long heapBytes, SparkApplicationSpec spec) {
    return inMemory(spec) ? bytes(spec, heapBytes / HEAP_SHARE) : 0;
  }

  /**
   * Bytes of shuffle data that come out of the page cache of an executor and, if that has less, out
   * of its heap, which then becomes smaller.
   *
   * <p>Where the application and the profile say nothing it is half of the page cache, which
   * shuffle files on disk would have filled, but not less than executors without page cache get.
   *
   * @param reserved what the profile keeps for it, 0 for nothing
   */
  public static long bytesOutOf(ExecutorMemory memory, long reserved, SparkApplicationSpec spec) {
    long absent = Math.max(memory.heapBytes() / (HEAP_SHARE + 1), memory.pageCacheBytes() / 2);
    return bytes(spec, reserved > 0 ? reserved : absent);
  }

  private static long bytes(SparkApplicationSpec spec, long absent) {
    long bytes =
        spec.shuffle().size() == null ? absent : MemorySize.ofQuantity(spec.shuffle().size());
    return (bytes + MemorySize.MIB - 1) / MemorySize.MIB * MemorySize.MIB;
  }
}
