package io.numaspark.planner.jvm;

import static io.numaspark.planner.fixture.Policies.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutorMemoryTest {

  @ParameterizedTest(name = "{0} MiB for the pod, factor {1}: {2} + {3} MiB")
  @CsvSource({
    // spark.executor.memory=24g gives a pod of 27033 MiB with Spark 4.3.
    "27033, 0.10, 24576, 2457",
    "27034, 0.10, 24577, 2457",
    "2432,  0.10,  2048,  384",
    "834,   0.10,   450,  384",
    "14336, 0.40, 10240, 4096",
    "99999, 0.10, 30720, 3072",
  })
  void givesTheHeapWhatTheOverheadLeaves(long pod, double factor, long heap, long overhead) {
    MemoryPolicy policy = new MemoryPolicy(30720 * MIB, factor, 384 * MIB, 0);
    assertThat(ExecutorMemory.largestWithin(pod * MIB, policy))
        .contains(new ExecutorMemory(heap * MIB, overhead * MIB, 0));
  }

  @Test
  void offHeapMemoryIsTakenOutOfThePod() {
    MemoryPolicy policy = new MemoryPolicy(30720 * MIB, 0, 4096 * MIB, 2048 * MIB);
    ExecutorMemory memory = ExecutorMemory.largestWithin(30720 * MIB, policy).orElseThrow();
    assertThat(memory).isEqualTo(new ExecutorMemory(24576 * MIB, 4096 * MIB, 2048 * MIB));
    assertThat(memory.podBytes()).isEqualTo(30720 * MIB);
  }

  @Test
  void memoryOfPythonWorkersIsTakenOutOfThePod() {
    MemoryPolicy policy =
        new MemoryPolicy(30720 * MIB, 0.4, 384 * MIB, 0).withPysparkBytes(2048 * MIB);
    assertThat(ExecutorMemory.largestWithin(16057 * MIB, policy))
        .contains(new ExecutorMemory(10007 * MIB, 4002 * MIB, 0).withPysparkBytes(2048 * MIB));
    assertThat(policy.withOverheadFactorAtLeast(0.5).pysparkBytes()).isEqualTo(2048 * MIB);
  }

  @Test
  void shuffleDataIsTakenOutOfThePod() {
    MemoryPolicy policy = new MemoryPolicy(30720 * MIB, 0.1, 384 * MIB, 0);
    assertThat(
            ExecutorMemory.largestWithin(
                13024 * MIB, policy.withShuffleBytes(2048 * MIB - 1).withPysparkBytes(0)))
        .contains(new ExecutorMemory(9979 * MIB, 997 * MIB, 0).withShuffleBytes(2048 * MIB));
    assertThat(new ExecutorMemory(1024 * MIB, 384 * MIB, 0).withShuffleBytes(100 * MIB).podBytes())
        .isEqualTo(1508 * MIB);
  }

  @Test
  void theLeastPageCacheIsTakenOutOfThePodAndFillingTakesTheRest() {
    MemoryPolicy policy =
        new MemoryPolicy(30720 * MIB, 0.1, 384 * MIB, 0)
            .withPageCache(new PageCachePolicy(2048 * MIB - 1, PageCachePolicy.UNLIMITED));
    ExecutorMemory memory =
        ExecutorMemory.largestWithin(13024 * MIB, policy.withShuffleBytes(0)).orElseThrow();
    assertThat(memory)
        .isEqualTo(new ExecutorMemory(9979 * MIB, 997 * MIB, 0).withPageCacheBytes(2048 * MIB));
    assertThat(memory.podBytes()).isEqualTo(13024 * MIB);
    assertThat(memory.sparkOverheadBytes()).isEqualTo((997 + 2048) * MIB);

    ExecutorMemory filled = memory.filling(20_000 * MIB);
    assertThat(filled.pageCacheBytes()).isEqualTo((20_000 - 9979 - 997) * MIB);
    assertThat(filled.podBytes()).isEqualTo(20_000 * MIB);
    assertThat(policy.leastPodBytes(filled)).isEqualTo(13024 * MIB);
    assertThatThrownBy(() -> memory.filling(10_000 * MIB))
        .hasMessageContaining("smaller by " + 976 * MIB);
  }

  @ParameterizedTest(name = "{0} to {1} bytes")
  @CsvSource({"-1, 5", "6, 5"})
  void refusesPageCacheThatContradictsItself(long min, long max) {
    assertThatThrownBy(() -> new PageCachePolicy(min, max))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(min + " to " + max);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 91})
  void refusesToLeaveMoreThanThereIs(int percent) {
    MemoryPolicy policy = new MemoryPolicy(30720 * MIB, 0.1, 384 * MIB, 0);
    assertThatThrownBy(() -> policy.withFreePercent(percent))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(percent + " %");
  }

  @Test
  void isEmptyBelowTheSmallestHeapOfSpark() {
    MemoryPolicy policy = new MemoryPolicy(30720 * MIB, 0.10, 384 * MIB, 0);
    assertThat(ExecutorMemory.largestWithin(834 * MIB - 1, policy)).isEmpty();
    assertThat(ExecutorMemory.largestWithin(0, policy)).isEmpty();
    MemoryPolicy tinyHeap = new MemoryPolicy(449 * MIB, 0.10, 384 * MIB, 0);
    assertThat(ExecutorMemory.largestWithin(9999 * MIB, tinyHeap)).isEmpty();
  }

  @Test
  void pythonGetsTheOverheadOfSparkForOtherLanguages() {
    MemoryPolicy policy = new MemoryPolicy(30720 * MIB, 0.10, 384 * MIB, 0);
    assertThat(
            policy.withOverheadFactorAtLeast(MemoryPolicy.NON_JVM_OVERHEAD_FACTOR).overheadFactor())
        .isEqualTo(0.40);
    assertThat(policy.withOverheadFactorAtLeast(0.05)).isEqualTo(policy);
  }

  /** Forward and backward must agree: Spark computes the pod from the heap, we the heap from it. */
  @Test
  void noHeapIsLargerAndSparkAsksForExactlyThisPod() {
    Random random = new Random(4);
    double[] factors = {0, 0.07, 0.1, 0.1875, 0.4, 1};
    for (int round = 0; round < 20_000; round++) {
      double factor =
          random.nextBoolean() ? factors[random.nextInt(factors.length)] : random.nextDouble();
      long min = random.nextInt(3) == 0 ? 0 : random.nextInt(2048);
      long offHeap = random.nextInt(2) * (long) random.nextInt(4096);
      long maxHeap = random.nextInt(65_536);
      long pod = random.nextInt(100_000) * MIB + random.nextInt((int) MIB);
      long pyspark = random.nextInt(2) * (long) random.nextInt(4096);
      long shuffle = random.nextInt(2) * (long) random.nextInt(8192);
      MemoryPolicy policy =
          new MemoryPolicy(maxHeap * MIB, factor, min * MIB, offHeap * MIB)
              .withPysparkBytes(pyspark * MIB)
              .withShuffleBytes(shuffle * MIB)
              .withPageCache(
                  new PageCachePolicy(
                      random.nextInt(2) * random.nextInt(8192) * MIB, PageCachePolicy.UNLIMITED));

      Optional<ExecutorMemory> found = ExecutorMemory.largestWithin(pod, policy);

      String input = "pod " + pod + " " + policy;
      if (found.isEmpty()) {
        assertThat(maxHeap < 450 || sparkPod(450, policy) * MIB > pod).as(input).isTrue();
        continue;
      }
      long heap = found.get().heapBytes() / MIB;
      assertThat(found.get().heapBytes() % MIB).as(input).isZero();
      assertThat(heap).as(input).isBetween(450L, maxHeap);
      assertThat(found.get().podBytes()).as(input).isEqualTo(sparkPod(heap, policy) * MIB);
      assertThat(found.get().podBytes()).as(input).isLessThanOrEqualTo(pod);
      assertThat(heap == maxHeap || sparkPod(heap + 1, policy) * MIB > pod).as(input).isTrue();
    }
  }

  /** BasicExecutorFeatureStep, in MiB. */
  private static long sparkPod(long heap, MemoryPolicy policy) {
    int overhead = (int) (policy.overheadFactor() * heap);
    return heap
        + Math.max(overhead, policy.minOverheadBytes() / MIB)
        + (policy.offHeapBytes()
                + policy.pysparkBytes()
                + policy.shuffleBytes()
                + policy.pageCache().minBytes())
            / MIB;
  }
}
