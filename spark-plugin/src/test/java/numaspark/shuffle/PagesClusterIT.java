package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import numaspark.plugin.SparkCluster;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two executors on one node, each a process: they read each other's pages, or fetch them, and one
 * may die.
 */
class PagesClusterIT {
  private static final Function<SparkSession, Dataset<Row>> JOIN = Queries.all().get("join");

  @TempDir Path folder;

  private SparkCluster cluster;

  @AfterEach
  void stop() throws IOException {
    cluster.close();
    SparkCluster.await("the executors' folders to go", () -> pages().isEmpty());
  }

  private List<Path> pages() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".pages")).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of(folder); // it changes while it is walked
    }
  }

  private SparkSession start(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.shuffle.manager", PagesShuffleManager.class.getName());
    settings.put("spark.numaspark.shuffle.pages.dir", folder.toString());
    settings.put("spark.sql.adaptive.enabled", "false");
    settings.put("spark.sql.autoBroadcastJoinThreshold", "-1");
    settings.put("spark.shuffle.readHostLocalDisk", "false");
    settings.putAll(more);
    cluster = SparkCluster.start(2, 1, settings);
    return cluster.session();
  }

  @Test
  void siblingsReadEachOthersPagesWithoutANetwork() {
    ShuffleMetrics metrics = ShuffleMetrics.of(start(Map.of()), JOIN);
    assertThat(metrics.bytesRead()).isEqualTo(metrics.bytesWritten()).isPositive();
    assertThat(metrics.remoteBytesRead()).isZero();
    assertThat(pages().stream().map(page -> page.getParent().getParent()).distinct())
        .as("both write")
        .hasSize(2);
  }

  @Test
  void executorsOfOtherNodesFetchThePages() {
    SparkSession spark = start(Map.of("spark.numaspark.shuffle.pages.share", "false"));
    ShuffleMetrics metrics = ShuffleMetrics.of(spark, JOIN);
    assertThat(metrics.remoteBytesRead()).isPositive();
    assertThat(metrics.recordsRead()).isEqualTo(metrics.recordsWritten());
    assertSameAsWithoutShuffle(spark);
  }

  @Test
  void fetchedBlocksMayBePartlyOnDisk() {
    assertSameAsWithoutShuffle(
        start(
            Map.of(
                "spark.numaspark.shuffle.pages.share",
                "false",
                "spark.memory.offHeap.size",
                "2200k")));
  }

  @Test
  void siblingsBlocksMayBePartlyOnDiskOfTheSameHost() {
    assertSameAsWithoutShuffle(
        start(
            Map.of(
                "spark.shuffle.readHostLocalDisk", "true", "spark.memory.offHeap.size", "2200k")));
  }

  @Test
  void aLostExecutorsPagesAreMadeAgain() {
    SparkSession spark = start(Map.of("spark.task.maxFailures", "8"));
    Dataset<Row> shuffled =
        spark.range(0, 200_000, 1, 4).selectExpr("id", "id % 11 b").repartition(4);
    List<String> before = Queries.rows(shuffled.groupBy("b").count());
    // The second job uses the map outputs of the first one, a half of which are gone.
    RDD<Row> rdd = shuffled.javaRDD().rdd();
    assertThat(rdd.count()).isEqualTo(200_000);
    cluster.kill(cluster.executors().keySet().iterator().next());
    assertThat(rdd.count()).isEqualTo(200_000);
    assertThat(Queries.rows(shuffled.groupBy("b").count())).isEqualTo(before);
    SparkCluster.await("the dead executor's folder to be swept", () -> executorFolders() <= 2);
  }

  private long executorFolders() {
    return pages().stream().map(page -> page.getParent().getParent()).distinct().count();
  }

  /** Sums over the rows of a join, computed by arithmetic. */
  private static void assertSameAsWithoutShuffle(SparkSession spark) {
    long rows = 0;
    long sum = 0;
    for (long k = 0; k < 60_000; k += 2) {
      rows++;
      sum += k * 3 + k * 5;
    }
    Row result =
        JOIN.apply(spark)
            .toDF("k", "c", "s")
            .selectExpr("count(*)", "sum(s)", "count_if(c = cast(k as string))")
            .first();
    assertThat(result.getLong(0)).isEqualTo(rows);
    assertThat(result.getLong(1)).isEqualTo(sum);
    assertThat(result.getLong(2)).isEqualTo(rows);
  }
}
