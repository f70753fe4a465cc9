package numaspark.shuffle;

import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.ShuffleDataBlockId;

/**
 * How many bytes of pages this executor may hold, by the word of Spark's memory manager.
 *
 * <p>Pages outlive the task that writes them, so they are storage memory: of the off-heap pool when
 * {@code spark.memory.offHeap.size} is set, else of the heap's. Where execution uses the pool too,
 * pages get at most {@code spark.memory.storageFraction} of it, because execution cannot evict
 * them; the off-heap pool is all theirs as long as {@code spark.memory.offHeap.enabled} is false.
 */
final class PageBudget {
  /** Asked of the memory manager at a time, whose lock all tasks share. */
  private static final long STEP = 16L << 20;

  private final MemoryManager memory;
  private final MemoryMode mode;
  private final long most;
  private long reserved;
  private long used;

  private PageBudget(MemoryManager memory, MemoryMode mode, long most) {
    this.memory = memory;
    this.mode = mode;
    this.most = most;
  }

  static PageBudget of(SparkConf conf, MemoryManager memory) {
    long offHeap = conf.getSizeAsBytes("spark.memory.offHeap.size", "0b");
    double share = conf.getDouble("spark.memory.storageFraction", 0.5);
    if (offHeap > 0) {
      boolean alone = !conf.getBoolean("spark.memory.offHeap.enabled", false);
      return new PageBudget(
          memory, MemoryMode.OFF_HEAP, alone ? offHeap : (long) (offHeap * share));
    }
    return new PageBudget(
        memory, MemoryMode.ON_HEAP, (long) (memory.maxOnHeapStorageMemory() * share));
  }

  /** Where there is no place for pages. */
  static PageBudget none(MemoryManager memory) {
    return new PageBudget(memory, MemoryMode.ON_HEAP, 0);
  }

  /**
   * Bytes for pages that are about to be written.
   *
   * @return false when there are none; nothing is taken then
   */
  synchronized boolean take(long bytes) {
    if (used + bytes > most) {
      return false;
    }
    long missing = used + bytes - reserved;
    if (missing > 0) {
      long step = Math.min(Math.max(missing, STEP), most - reserved);
      if (!acquire(step)) {
        if (step == missing || !acquire(missing)) {
          return false;
        }
        step = missing;
      }
      reserved += step;
    }
    used += bytes;
    return true;
  }

  private boolean acquire(long bytes) {
    // The id only names whom the memory is for; no block of this id is in Spark's memory store.
    return memory.acquireStorageMemory(new ShuffleDataBlockId(0, 0, 0), bytes, mode);
  }

  synchronized void giveBack(long bytes) {
    used -= bytes;
    long spare = reserved - used - STEP;
    if (used == 0) {
      spare = reserved;
    }
    if (spare > 0) {
      reserved -= spare;
      memory.releaseStorageMemory(spare, mode);
    }
  }

  synchronized long used() {
    return used;
  }

  long most() {
    return most;
  }
}
