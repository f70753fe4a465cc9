package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.UnifiedMemoryManager;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.junit.jupiter.api.Test;

/** Against Spark's own memory manager. */
class PageBudgetTest {
  private static final long MIB = 1L << 20;

  private static SparkConf conf(String offHeap) {
    return new SparkConf(false)
        .set("spark.memory.offHeap.size", offHeap)
        .set("spark.memory.storageFraction", "0.5");
  }

  /** 200 MiB of heap for execution and storage. */
  private static MemoryManager memory(SparkConf conf) {
    return new UnifiedMemoryManager(conf, 200 * MIB, 100 * MIB, 2);
  }

  @Test
  void theWholeOffHeapPoolIsForPages() {
    SparkConf conf = conf("100m");
    MemoryManager memory = memory(conf);
    PageBudget budget = PageBudget.of(conf, memory);
    assertThat(budget.most()).isEqualTo(100 * MIB);
    assertThat(budget.take(1)).isTrue();
    assertThat(memory.storageMemoryUsed()).as("asked for in steps").isEqualTo(16 * MIB);
    assertThat(budget.take(100 * MIB)).isFalse();
    assertThat(budget.take(100 * MIB - 1)).isTrue();
    assertThat(budget.take(1)).isFalse();
    assertThat(memory.storageMemoryUsed()).isEqualTo(100 * MIB);
    budget.giveBack(60 * MIB);
    assertThat(memory.storageMemoryUsed()).as("one step is kept").isEqualTo(56 * MIB);
    budget.giveBack(40 * MIB);
    assertThat(memory.storageMemoryUsed()).isZero();
    assertThat(budget.used()).isZero();
  }

  @Test
  void executionKeepsItsShareOfAPoolThatItUses() {
    SparkConf shared = conf("100m").set("spark.memory.offHeap.enabled", "true");
    assertThat(PageBudget.of(shared, memory(shared)).most()).isEqualTo(50 * MIB);
    SparkConf heap = conf("0");
    assertThat(PageBudget.of(heap, memory(heap)).most()).isEqualTo(100 * MIB);
  }

  @Test
  void nothingIsTakenWhenSparkHasNothing() {
    SparkConf conf = conf("100m").set("spark.memory.offHeap.enabled", "true");
    MemoryManager memory = memory(conf);
    PageBudget budget = PageBudget.of(conf, memory);
    memory.acquireStorageMemory(new ShuffleDataBlockId(1, 1, 1), 60 * MIB, MemoryMode.OFF_HEAP);
    assertThat(budget.take(38 * MIB)).isTrue();
    assertThat(budget.used()).isEqualTo(38 * MIB);
    assertThat(budget.take(100 * MIB)).isFalse();
    assertThat(budget.used()).isEqualTo(38 * MIB);
  }

  @Test
  void withoutAFolderThereIsNone() {
    SparkConf conf = conf("100m");
    assertThat(PageBudget.none(memory(conf)).take(1)).isFalse();
  }
}
