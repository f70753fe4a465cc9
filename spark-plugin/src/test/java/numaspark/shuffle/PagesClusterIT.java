package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import numaspark.plugin.DriverMetrics;
import numaspark.plugin.SparkCluster;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
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
    if (cluster == null) {
      return;
    }
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
    SparkCluster.await(
        "both executors to tell the driver",
        () ->
            DriverMetrics.value("shuffle.pagesBytes") >= metrics.bytesWritten()
                && DriverMetrics.value("shuffle.outputs") > 0);
    assertThat(DriverMetrics.value("shuffle.outputsOnDisk")).isZero();
    assertThat(DriverMetrics.value("shuffle.pagesBudgetBytes"))
        .isGreaterThanOrEqualTo(DriverMetrics.value("shuffle.pagesBytes"));
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

  /** Spark would read the other one's files by itself, and cannot know that all is on disk. */
  @Test
  void executorsOfOneAddressWithoutAFolderForPages() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    SparkSession spark = start(Map.of("spark.numaspark.shuffle.pages.dir", file.toString()));
    assertSameAsWithoutShuffle(spark);
    assertThat(ShuffleMetrics.of(spark, JOIN).remoteBytesRead()).isPositive();
  }

  @Test
  @Tag("large")
  void executorsOfOneAddressWithAFullTmpfs() throws Exception {
    Path tmpfs = Files.createDirectory(folder.resolve("tmpfs"));
    Process mount =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmpfs.toString())
            .start();
    assumeThat(mount.waitFor()).as("exit status of mount, which needs root").isZero();
    try {
      assertSameAsWithoutShuffle(
          start(Map.of("spark.numaspark.shuffle.pages.dir", tmpfs.toString())));
      cluster.close();
      SparkCluster.await("the executors' folders to go", () -> pages().isEmpty());
    } finally {
      SparkCluster.await("the end of the file system", () -> ended("umount", tmpfs.toString()));
    }
  }

  private static boolean ended(String... command) {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** As an operator's hand or a wrong sweep does it. */
  @Test
  @Tag("large")
  void pagesThatSomebodyDeletesAreMadeAgain() throws IOException {
    SparkSession spark = start(Map.of());
    Dataset<Row> shuffled =
        spark.range(0, 200_000, 1, 4).selectExpr("id", "id % 11 b").repartition(4);
    RDD<Row> rdd = shuffled.javaRDD().rdd();
    assertThat(rdd.count()).isEqualTo(200_000);
    for (Path page : pages()) {
      ShuffleFolder.delete(page.getParent());
    }
    assertThat(Queries.rows(shuffled.groupBy("b").count())).hasSize(11);
    assertThat(rdd.count()).isEqualTo(200_000);
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

  /** As the slower of two speculative attempts is, which Spark never starts on one host. */
  @Test
  void aKilledAttemptAddsNoRows() {
    SparkSession spark = start(Map.of());
    AtomicLong slowTask = new AtomicLong(-1);
    AtomicInteger ended = new AtomicInteger();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskStart(SparkListenerTaskStart event) {
                TaskInfo task = event.taskInfo();
                if (event.stageId() == 0 && task.index() == 3 && task.attemptNumber() == 0) {
                  slowTask.set(task.taskId());
                }
              }

              @Override
              public void onTaskEnd(SparkListenerTaskEnd event) {
                ended.incrementAndGet();
              }
            });
    Thread killer =
        new Thread(
            () -> {
              SparkCluster.await("three tasks and the slow one", () -> ended.get() == 3);
              spark.sparkContext().killTaskAttempt(slowTask.get(), true, "the other one is ready");
            });
    killer.start();
    Row result =
        spark
            .range(0, 4 * ROWS_OF_A_TASK, 1, 4)
            .map((MapFunction<Long, Long>) PagesClusterIT::slowAtFirst, Encoders.LONG())
            .toDF("id")
            .repartition(3, functions.col("id"))
            .selectExpr("count(*)", "count(distinct id)")
            .first();
    assertThat(killer.isAlive()).isFalse();
    assertThat(result.getLong(0)).isEqualTo(4 * ROWS_OF_A_TASK);
    assertThat(result.getLong(1)).isEqualTo(4 * ROWS_OF_A_TASK);
  }

  private static final long ROWS_OF_A_TASK = 200_000;

  /** The first attempt of the last task stops near its end, with runs in pages, until killed. */
  private static Long slowAtFirst(Long id) throws InterruptedException {
    if (id == 4 * ROWS_OF_A_TASK - 1 && TaskContext.get().attemptNumber() == 0) {
      Thread.sleep(Long.MAX_VALUE);
    }
    return id;
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
