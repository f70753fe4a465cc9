package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.junit.jupiter.api.Test;

/** Buffers of map tasks: what is allocated is accounted, and what is given back is free. */
class RunMemoryTest {
  private static final long MIB = SparkMemory.MIB;
  private static final int MANY = 4096;

  private final SparkConf conf = SparkMemory.conf("100m");
  private final MemoryManager spark = SparkMemory.of(conf);
  private final PageBudget budget = PageBudget.of(conf, spark);

  private static UnsafeRow row(int bytes) {
    UnsafeRow row = new UnsafeRow(1);
    row.pointTo(new byte[bytes], bytes);
    return row;
  }

  @Test
  void allSlotsTogetherTakeAQuarterOfTheBudget() {
    RunMemory memory = new RunMemory(budget, 8, Long.MAX_VALUE);
    List<RunBuilder> builders = new ArrayList<>();
    for (int slot = 0; slot < 8; slot++) {
      builders.add(memory.take(MANY).orElseThrow());
    }
    long bytes = builders.stream().mapToLong(RunBuilder::directBytes).sum();
    assertThat(bytes).isBetween(23 * MIB, 25 * MIB);
    assertThat(memory.held()).isEqualTo(bytes);
    assertThat(budget.used()).as("of Spark's own account, too").isEqualTo(bytes);
    assertThat(spark.storageMemoryUsed()).isGreaterThanOrEqualTo(bytes);
  }

  @Test
  void moreTasksThanSlotsFindNone() {
    RunMemory memory = new RunMemory(budget, 1, Long.MAX_VALUE);
    int builders = 0;
    while (memory.take(MANY).isPresent()) {
      builders++;
    }
    assertThat(builders).isEqualTo(2);
    assertThat(memory.held()).isLessThanOrEqualTo(50 * MIB);
    assertThat(budget.used()).isEqualTo(memory.held());
  }

  @Test
  void whatIsGivenBackWaitsForTheNextTaskUntilItIsNeeded() {
    RunMemory memory = new RunMemory(budget, 2, Long.MAX_VALUE);
    RunBuilder first = memory.take(10).orElseThrow();
    memory.giveBack(first);
    assertThat(memory.take(10)).as("the same again").containsSame(first);
    memory.giveBack(first);
    assertThat(memory.held()).isPositive();
    assertThat(memory.freeIdle()).isTrue();
    assertThat(memory.freeIdle()).isFalse();
    assertThat(budget.used()).isZero();
    assertThat(spark.storageMemoryUsed()).isZero();
  }

  @Test
  void theJvmsLimitBoundsThemToo() {
    RunMemory memory = new RunMemory(budget, 2, 16 * MIB);
    assertThat(memory.take(10).orElseThrow().directBytes()).isLessThanOrEqualTo(2 * MIB);
    assertThat(new RunMemory(budget, 8, MIB).take(10)).as("too little").isEmpty();
  }

  @Test
  void thereIsNoneWithoutABudgetAndForMorePartitionsThanFit() {
    PageBudget none = PageBudget.none(spark);
    assertThat(new RunMemory(none, 1, Long.MAX_VALUE).take(1)).isEmpty();
    assertThat(new RunMemory(budget, 8, Long.MAX_VALUE).take(1 << 20)).isEmpty();
    assertThat(budget.used()).isZero();
  }

  @Test
  void aLongRowIsAccountedAndItsBuffersAreNotKept() {
    RunMemory memory = new RunMemory(budget, 2, Long.MAX_VALUE);
    RunBuilder builder = begun(memory);
    long before = memory.held();
    assertThat(builder.add(0, row(10 << 20))).isTrue();
    assertThat(memory.held()).isEqualTo(builder.directBytes()).isGreaterThan(before + 15 * MIB);
    builder.clear();
    assertThat(builder.add(0, row(16))).isTrue();
    memory.giveBack(builder);
    assertThat(memory.held()).isZero();
    assertThat(budget.used()).isZero();
  }

  @Test
  void aRowThatIsTooLongChangesNothing() {
    RunMemory memory = new RunMemory(budget, 2, Long.MAX_VALUE);
    RunBuilder builder = begun(memory);
    long before = memory.held();
    assertThat(builder.add(0, row(40 << 20))).isFalse();
    assertThat(builder.isEmpty()).isTrue();
    assertThat(memory.held()).isEqualTo(before).isEqualTo(builder.directBytes());
    assertThat(builder.add(0, row(16))).isTrue();
  }

  @Test
  void aRunEndsWhereTheHeapDoes() {
    RunMemory memory = new RunMemory(budget, 2, Long.MAX_VALUE);
    RunBuilder builder = memory.take(1).orElseThrow();
    long[] heap = {1 << 20};
    assertThat(
            builder.begin(
                bytes -> {
                  heap[0] -= bytes;
                  return heap[0] >= 0;
                }))
        .isTrue();
    while (builder.add(0, row(16))) {}
    assertThat(builder.count()).isBetween(1 << 15, 1 << 17);
    assertThat(builder.begin(bytes -> false)).isFalse();
  }

  private static RunBuilder begun(RunMemory memory) {
    Optional<RunBuilder> builder = memory.take(1);
    assertThat(builder.orElseThrow().begin(bytes -> true)).isTrue();
    return builder.get();
  }
}
