package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.junit.jupiter.api.Test;

/** Against Spark's own memory manager. */
class PageBudgetTest {
  private static final long MIB = SparkMemory.MIB;

  @Test
  void theWholeOffHeapPoolIsForPages() {
    SparkConf conf = SparkMemory.conf("100m");
    MemoryManager memory = SparkMemory.of(conf);
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
    SparkConf shared = SparkMemory.conf("100m").set("spark.memory.offHeap.enabled", "true");
    assertThat(PageBudget.of(shared, SparkMemory.of(shared)).most()).isEqualTo(50 * MIB);
    SparkConf heap = SparkMemory.conf("0");
    assertThat(PageBudget.of(heap, SparkMemory.of(heap)).most()).isEqualTo(100 * MIB);
  }

  @Test
  void nothingIsTakenWhenSparkHasNothing() {
    SparkConf conf = SparkMemory.conf("100m").set("spark.memory.offHeap.enabled", "true");
    MemoryManager memory = SparkMemory.of(conf);
    PageBudget budget = PageBudget.of(conf, memory);
    memory.acquireStorageMemory(new ShuffleDataBlockId(1, 1, 1), 60 * MIB, MemoryMode.OFF_HEAP);
    assertThat(budget.take(38 * MIB)).isTrue();
    assertThat(budget.used()).isEqualTo(38 * MIB);
    assertThat(budget.take(100 * MIB)).isFalse();
    assertThat(budget.used()).isEqualTo(38 * MIB);
  }

  @Test
  void withoutAFolderThereIsNone() {
    SparkConf conf = SparkMemory.conf("100m");
    assertThat(PageBudget.none(SparkMemory.of(conf)).take(1)).isFalse();
  }
}
