package numaspark.shuffle;

import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.UnifiedMemoryManager;

/** Spark's own memory manager, as an executor of 200 MiB has it. */
final class SparkMemory {
  static final long MIB = 1L << 20;

  private SparkMemory() {}

  static SparkConf conf(String offHeap) {
    return new SparkConf(false)
        .set("spark.memory.offHeap.size", offHeap)
        .set("spark.memory.storageFraction", "0.5");
  }

  /** 200 MiB of heap for execution and storage. */
  static MemoryManager of(SparkConf conf) {
    return new UnifiedMemoryManager(conf, 200 * MIB, 100 * MIB, 2);
  }

  static MemoryManager of(String offHeap) {
    return of(conf(offHeap));
  }
}
