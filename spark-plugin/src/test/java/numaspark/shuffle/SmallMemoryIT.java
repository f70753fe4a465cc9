package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import numaspark.plugin.SparkCluster;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors with less memory than their shuffles: slower, and never ended by it. */
@Tag("large")
class SmallMemoryIT {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;

  private SparkCluster cluster;

  @AfterEach
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private SparkSession start(int cores, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.shuffle.manager", PagesShuffleManager.class.getName());
    settings.put("spark.numaspark.shuffle.pages.dir", folder.resolve("pages").toString());
    settings.put("spark.local.dir", folder.toString());
    settings.putAll(more);
    cluster = SparkCluster.start(1, cores, settings);
    return cluster.session();
  }

  /** One block of each map task, each larger than a third of the heap, and not to be compressed. */
  @Test
  void largePartitionsOverflowUnderASmallHeap() {
    SparkSession spark =
        start(
            2,
            Map.of(
                "spark.executor.memory", "512m",
                "spark.memory.offHeap.size", "64m",
                "spark.sql.adaptive.enabled", "false"));
    long rows = 12_000_000;
    Row sums =
        spark
            .range(0, rows, 1, 3)
            .selectExpr("id", "xxhash64(id) a", "xxhash64(id, 1) b", "xxhash64(id, 2) c")
            .repartition(1, functions.col("id"))
            .selectExpr("sum(id)", "count(a)", "count(distinct c % 7)")
            .first();
    assertThat(sums.getLong(0)).isEqualTo(rows * (rows - 1) / 2);
    assertThat(sums.getLong(1)).isEqualTo(rows);
    assertThat(cluster.executors()).as("the first one lives").containsOnlyKeys("0");
  }

  /** 4096 partitions in 8 slots, whose buffers were once 640 MiB. */
  @Test
  void eightSlotsStayBelowTheJvmsLimitOfDirectMemory() {
    SparkSession spark =
        start(
            8,
            Map.of(
                "spark.executor.extraJavaOptions", "-XX:MaxDirectMemorySize=96m",
                // Spark refuses to start where netty could not take one such block.
                "spark.network.maxRemoteBlockSizeFetchToMem", "16m",
                "spark.memory.offHeap.size", "512m",
                "spark.sql.shuffle.partitions", "4096"));
    assertManyPartitions(spark);
  }

  /** As the kernel counts it: heap, pages, buffers, and everything else of the process. */
  @Test
  void eightSlotsStayWithinTheMemoryOfTheirPod() throws IOException {
    long heap = 512 * MIB;
    long overhead = 384 * MIB;
    long pages = 64 * MIB;
    MemoryLimit pod =
        MemoryLimit.of(heap + overhead + pages)
            .orElseGet(() -> Assumptions.abort("needs root and the memory controller"));
    try (pod) {
      Path tmpfs = Files.createTempDirectory(Path.of("/dev/shm"), "numaspark-test");
      SparkSession spark =
          start(
              8,
              Map.of(
                  "spark.executor.memory", "512m",
                  "spark.memory.offHeap.size", "64m",
                  "spark.numaspark.shuffle.pages.dir", tmpfs.toString(),
                  "spark.sql.shuffle.partitions", "4096"));
      pod.add(cluster.executors().get("0"));
      assertManyPartitions(spark);
      assertThat(pod.most()).isBetween(heap / 4, heap + overhead + pages);
      cluster.close();
      cluster = null;
      Files.deleteIfExists(tmpfs);
    }
  }

  private void assertManyPartitions(SparkSession spark) {
    Row sums =
        spark
            .range(0, 4_000_000, 1, 16)
            .groupBy("id")
            .count()
            .selectExpr("sum(id)", "sum(count)")
            .first();
    assertThat(sums.getLong(0)).isEqualTo(4_000_000L * 3_999_999 / 2);
    assertThat(sums.getLong(1)).isEqualTo(4_000_000);
    assertThat(cluster.executors()).as("the first one lives").containsOnlyKeys("0");
  }
}
