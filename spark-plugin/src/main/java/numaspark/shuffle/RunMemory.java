package numaspark.shuffle;

import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buffers outside of the heap in which this executor's map tasks collect rows, and some that
 * wait for the next task.
 *
 * <p>Their bytes come out of the {@link PageBudget}: they are the only other memory outside of the
 * heap that grows with slots and partitions, and the pod has room for the budget. A task that finds
 * none leaves its rows to Spark's own shuffle.
 */
final class RunMemory {
  private static final Logger LOG = LoggerFactory.getLogger(RunMemory.class);

  /** With few partitions, as much as a core's own caches hold about. */
  private static final int USUAL_ROWS = 2 << 20;

  private static final int MOST_ROWS = 32 << 20;

  /** So that a reduce task reads pieces of some pages each. */
  private static final int USUAL_A_PARTITION = 8 << 10;

  /** With less, the headers of runs and the calls to write them cost more than they save. */
  private static final int LEAST_ROWS = 64 << 10;

  private static final int LEAST_A_PARTITION = 256;

  /** Buffers of all slots are this part of the budget, and longer rows may double it. */
  private static final int PART = 4;

  private final PageBudget budget;
  private final long most;
  private final long ofATask;
  private final Deque<RunBuilder> idle = new ArrayDeque<>();
  private long held;

  static RunMemory of(SparkConf conf, PageBudget budget) {
    int cores = conf.getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
    int slots = Math.max(1, cores / Math.max(1, conf.getInt("spark.task.cpus", 1)));
    return new RunMemory(budget, slots, PlatformDependent.maxDirectMemory());
  }

  /**
   * @param slots tasks that run at a time
   * @param direct bytes that the JVM gives to direct buffers (-XX:MaxDirectMemorySize)
   */
  RunMemory(PageBudget budget, int slots, long direct) {
    this.budget = budget;
    this.most = 2 * (Math.min(budget.most(), direct) / PART);
    this.ofATask = most / 2 / slots;
  }

  /**
   * Bytes of rows to collect before they are written.
   *
   * @return 0 when a task's share is too small for so many partitions
   */
  int capacity(int partitions) {
    long usual = Math.max(USUAL_ROWS, Math.min(MOST_ROWS, (long) partitions * USUAL_A_PARTITION));
    // Two buffers: the rows, and their run, which is at most half as large again.
    long affordable = (ofATask - RunBuilder.footprint(partitions, 0)) * 2 / 5;
    long least = Math.max(LEAST_ROWS, (long) partitions * LEAST_A_PARTITION);
    return affordable < least ? 0 : (int) Math.min(usual, affordable);
  }

  /**
   * Buffers for one task.
   *
   * @return empty when there is no memory for them
   */
  synchronized Optional<RunBuilder> take(int partitions) {
    int capacity = capacity(partitions);
    if (capacity == 0) {
      return Optional.empty();
    }
    for (RunBuilder builder : idle) {
      if (builder.fits(partitions, capacity)) {
        idle.remove(builder);
        return Optional.of(builder);
      }
    }
    freeIdle(); // of another stage's tasks
    if (!reserve(RunBuilder.footprint(partitions, capacity))) {
      return Optional.empty();
    }
    try {
      return Optional.of(new RunBuilder(partitions, capacity, this));
    } catch (OutOfMemoryError e) {
      release(RunBuilder.footprint(partitions, capacity));
      LOG.warn("A map task writes to disk instead: {}", e.getMessage());
      return Optional.empty();
    }
  }

  synchronized void giveBack(RunBuilder builder) {
    builder.reset();
    if (builder.hasGrown()) {
      free(builder);
    } else {
      idle.push(builder);
    }
  }

  /**
   * Frees what no task uses.
   *
   * @return whether there was something
   */
  synchronized boolean freeIdle() {
    boolean any = !idle.isEmpty();
    idle.forEach(this::free);
    idle.clear();
    return any;
  }

  private void free(RunBuilder builder) {
    long bytes = builder.directBytes();
    builder.free();
    release(bytes);
  }

  /** Also for a row that is longer than a buffer. */
  synchronized boolean reserve(long bytes) {
    if (!fits(bytes) && !(freeIdle() && fits(bytes))) {
      return false;
    }
    held += bytes;
    return true;
  }

  private boolean fits(long bytes) {
    return held + bytes <= most && budget.take(bytes);
  }

  synchronized void release(long bytes) {
    held -= bytes;
    budget.giveBack(bytes);
  }

  /** Bytes of the budget that are buffers. */
  synchronized long held() {
    return held;
  }
}
