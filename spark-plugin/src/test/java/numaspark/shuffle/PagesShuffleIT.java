package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import numaspark.plugin.SparkCluster;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One executor: every query gives the rows that Spark's own shuffle gives, whatever room there is
 * for pages.
 */
class PagesShuffleIT {
  /**
   * What pages are accounted in; Spark's own broadcasts are storage memory, too, and much smaller.
   */
  private static final long STEP = 16L << 20;

  @TempDir Path folder;

  private SparkCluster cluster;

  @AfterEach
  void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
    assertThat(pages()).as("what is left after the application").isEmpty();
  }

  private Path root() {
    return folder.resolve("pages");
  }

  private List<Path> pages() throws IOException {
    if (!Files.isDirectory(root())) {
      return List.of();
    }
    while (true) {
      try (var files = Files.walk(root())) {
        return files.filter(Files::isRegularFile).toList();
      } catch (UncheckedIOException e) {
        if (!(e.getCause() instanceof NoSuchFileException)) {
          throw e;
        }
        // A shuffle was forgotten while the folders were walked.
      }
    }
  }

  private SparkSession start(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.shuffle.manager", PagesShuffleManager.class.getName());
    settings.put("spark.numaspark.shuffle.pages.dir", root().toString());
    settings.putAll(more);
    cluster = SparkCluster.local(2, settings);
    return cluster.session();
  }

  private static Map<String, List<String>> results(SparkSession spark) {
    Map<String, List<String>> results = new LinkedHashMap<>();
    Queries.all().forEach((name, query) -> results.put(name, Queries.rows(query.apply(spark))));
    return results;
  }

  private static Map<String, List<String>> expected;

  /** By Spark's own shuffle manager. */
  private Map<String, List<String>> expected() {
    if (expected == null) {
      SparkCluster sort = SparkCluster.local(2, Map.of("spark.shuffle.manager", "sort"));
      try {
        expected = results(sort.session());
      } finally {
        sort.close();
      }
    }
    return expected;
  }

  private void assertSameResults(Map<String, String> settings) {
    Map<String, List<String>> wanted = expected();
    Map<String, List<String>> rows = results(start(settings));
    wanted.forEach((query, want) -> assertThat(rows.get(query)).as(query).isEqualTo(want));
  }

  @Test
  void withAdaptiveQueryExecution() throws IOException {
    assertSameResults(
        Map.of(
            "spark.sql.autoBroadcastJoinThreshold", "-1",
            "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "100k",
            "spark.sql.adaptive.advisoryPartitionSizeInBytes", "200k"));
    assertThat(pages())
        .as("shuffles are in pages")
        .anyMatch(file -> file.toString().endsWith(".pages"));
  }

  @Test
  void withoutAdaptiveQueryExecution() {
    assertSameResults(
        Map.of(
            "spark.sql.adaptive.enabled", "false", "spark.sql.autoBroadcastJoinThreshold", "-1"));
  }

  @Test
  void whenTheBudgetRunsOutInTheMiddleOfATask() throws IOException {
    assertSameResults(
        Map.of(
            "spark.memory.offHeap.size", "3m",
            "spark.sql.autoBroadcastJoinThreshold", "-1",
            "spark.cleaner.referenceTracking", "false"));
    long bytes = 0;
    for (Path file : pages()) {
      bytes += Files.size(file);
    }
    assertThat(bytes).isBetween(1L, (3L << 20) + 100_000);
  }

  @Test
  void whenThereIsNoFolderForPages() throws IOException {
    Files.writeString(root(), "a file is in the way");
    assertSameResults(Map.of("spark.sql.autoBroadcastJoinThreshold", "-1"));
    Files.delete(root());
  }

  @Test
  void whenTheFileSystemIsFullInTheMiddleOfATask() throws Exception {
    Files.createDirectory(root());
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", root().toString()))
        .as("exit status of mount, which needs root")
        .isZero();
    try {
      assertSameResults(Map.of("spark.sql.autoBroadcastJoinThreshold", "-1"));
      cluster.close();
      assertThat(pages()).isEmpty();
    } finally {
      assertThat(run("umount", root().toString())).isZero();
    }
  }

  /** Pages and the sorts and aggregations of the same queries want the same 38 MB of heap. */
  @Test
  void whenSparksOwnMemoryRunsOutInTheMiddleOfAQuery() {
    assertSameResults(
        Map.of(
            "spark.testing.memory", "67108864",
            "spark.testing.reservedMemory", "0",
            "spark.sql.autoBroadcastJoinThreshold", "-1"));
  }

  @Test
  void aFullDiskFailsTheQueryAndNotTheNextOne() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()))
        .as("exit status of mount, which needs root")
        .isZero();
    try {
      SparkSession spark =
          start(
              Map.of(
                  "spark.local.dir", disk.toString(),
                  "spark.memory.offHeap.size", "3m",
                  "spark.sql.adaptive.enabled", "false"));
      long before = storageMemory();
      Throwable failure = catchThrowable(() -> sumAfterShuffle(spark, 2_000_000));
      assertThat(failure).hasStackTraceContaining("No space left on device");
      SparkCluster.await(
          "budget and files to be given back",
          () -> storageMemory() < before + STEP / 2 && bytesOfPages() == 0);
      assertThat(sumAfterShuffle(spark, 2000)).isEqualTo(1999000);
      cluster.close();
    } finally {
      assertThat(run("umount", disk.toString())).isZero();
    }
  }

  private static long sumAfterShuffle(SparkSession spark, long rows) {
    return spark
        .range(0, rows, 1, 2)
        .repartition(2, functions.col("id"))
        .selectExpr("sum(id)")
        .first()
        .getLong(0);
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  @Test
  void killedTasksGiveBackWhatTheyWrote() throws Exception {
    SparkSession spark = start(Map.of("spark.ui.enabled", "false"));
    long before = storageMemory();
    // By a column: rows that go round are sorted first, and these have no end.
    for (boolean interrupt : new boolean[] {true, false}) {
      Thread job =
          new Thread(
              () -> {
                spark.sparkContext().setJobGroup("endless", "endless", interrupt);
                spark
                    .range(0, 1L << 50, 1, 2)
                    .repartition(3, functions.col("id"))
                    .selectExpr("sum(id)")
                    .collectAsList();
              });
      job.setUncaughtExceptionHandler((thread, cancelled) -> {});
      job.start();
      SparkCluster.await("tasks to write pages", () -> storageMemory() > before + STEP / 2);
      spark.sparkContext().cancelJobGroup("endless");
      job.join();
      SparkCluster.await(
          "budget and files to be given back",
          () -> storageMemory() < before + STEP / 2 && bytesOfPages() == 0);
    }
    assertThat(sumAfterShuffle(spark, 2000)).isEqualTo(1999000);
  }

  private long bytesOfPages() {
    try {
      long bytes = 0;
      for (Path file : pages()) {
        bytes += file.toString().endsWith(".pages") ? Files.size(file) : 0;
      }
      return bytes;
    } catch (IOException | UncheckedIOException e) {
      return -1; // it changes while it is walked
    }
  }

  private static final long ROWS = 400_000;

  private static final CountDownLatch REACHED = new CountDownLatch(1);
  private static final CountDownLatch REMOVED = new CountDownLatch(1);

  /** The first attempt waits near its end, with runs in pages. */
  private static Long waiting(Long id) throws InterruptedException {
    if (id == ROWS - 1 && TaskContext.get().attemptNumber() == 0) {
      REACHED.countDown();
      REMOVED.await();
    }
    return id;
  }

  @Test
  void aShuffleThatIsRemovedDuringAMapTask() throws Exception {
    SparkSession spark =
        start(
            Map.of(
                "spark.master", "local[2,4]",
                "spark.memory.offHeap.size", "64m",
                "spark.sql.adaptive.enabled", "false"));
    FutureTask<Long> sum =
        new FutureTask<>(
            () ->
                spark
                    .range(0, ROWS, 1, 1)
                    .map((MapFunction<Long, Long>) PagesShuffleIT::waiting, Encoders.LONG())
                    .repartition(3, functions.col("value"))
                    .selectExpr("sum(value)")
                    .first()
                    .getLong(0));
    new Thread(sum).start();
    REACHED.await();
    assertThat(bytesOfPages()).isPositive();
    Path shuffle = pages().stream().filter(f -> f.toString().endsWith("0.pages")).findAny().get();
    SparkEnv.get().shuffleManager().unregisterShuffle(0);
    REMOVED.countDown();
    assertThat(sum.get()).as("the second attempt is on disk").isEqualTo(ROWS * (ROWS - 1) / 2);
    assertThat(shuffle.getParent()).doesNotExist();
    assertThat(sumAfterShuffle(spark, 2000)).isEqualTo(1999000);
  }

  @Test
  void whenBlocksMustBeEncrypted() throws IOException {
    assertSameResults(
        Map.of(
            "spark.io.encryption.enabled", "true", "spark.sql.autoBroadcastJoinThreshold", "-1"));
    assertThat(pages()).isEmpty();
  }

  @Test
  void memoryComesBackWhenAShuffleIsForgotten() throws IOException {
    SparkSession spark =
        start(Map.of("spark.sql.adaptive.enabled", "false", "spark.ui.enabled", "false"));
    long before = storageMemory();
    for (int i = 0; i < 1000; i++) {
      List<?> sum = spark.range(0, 2000, 1, 2).repartition(2).selectExpr("sum(id)").collectAsList();
      assertThat(sum.toString()).contains("1999000");
      if (i % 100 == 99) {
        System.gc(); // the driver's cleaner forgets shuffles that nobody refers to
      }
    }
    SparkCluster.await(
        "pages of forgotten shuffles to go",
        () -> {
          System.gc();
          try {
            return pages().stream().filter(file -> file.toString().endsWith(".pages")).count() < 20
                && mappings() < 20
                && storageMemory() <= before + STEP;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static long storageMemory() {
    return SparkEnv.get().memoryManager().storageMemoryUsed();
  }

  private static long mappings() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains(".pages"))
        .count();
  }

  @Test
  void theDriversMetricsAreThoseOfSparksOwnShuffle() {
    Map<String, String> settings =
        Map.of(
            "spark.sql.adaptive.enabled",
            "false",
            "spark.numaspark.shuffle.pages.maxPartitions",
            "4096");
    ShuffleMetrics sort;
    try (SparkCluster other =
        SparkCluster.local(2, Map.of("spark.sql.adaptive.enabled", "false"))) {
      sort = ShuffleMetrics.of(other.session(), Queries.all().get("every row again"));
    }
    ShuffleMetrics pages = ShuffleMetrics.of(start(settings), Queries.all().get("every row again"));
    assertThat(pages.recordsWritten()).isEqualTo(sort.recordsWritten()).isPositive();
    assertThat(pages.recordsRead()).isEqualTo(sort.recordsRead()).isPositive();
    assertThat(pages.bytesRead()).isEqualTo(pages.bytesWritten()).isPositive();
  }

  @Test
  void wrongPropertiesAreRefusedByName() {
    assertThat(catchThrowable(() -> start(Map.of("spark.numaspark.shuffle.pages.share", "yes"))))
        .hasStackTraceContaining("spark.numaspark.shuffle.pages.share=yes: expected true or false");
  }
}
