package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import numaspark.plugin.SparkCluster;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One block of 3 GiB, read where it was written and by another executor. */
@Tag("large")
class LargeBlockIT {
  private static final int ROWS = 3100;
  private static final long GIB = 1L << 30;

  @TempDir Path folder;

  private SparkCluster cluster;
  private volatile long remote;

  @AfterEach
  void stop() {
    cluster.close();
  }

  private JavaRDD<Row> shuffled(int executors, String budget) {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.shuffle.manager", PagesShuffleManager.class.getName());
    settings.put("spark.numaspark.shuffle.pages.dir", folder.resolve("pages").toString());
    settings.put("spark.numaspark.shuffle.pages.share", "false");
    settings.put("spark.local.dir", folder.toString());
    settings.put("spark.memory.offHeap.size", budget);
    settings.put("spark.sql.adaptive.enabled", "false");
    settings.put("spark.shuffle.reduceLocality.enabled", "false");
    cluster = SparkCluster.start(executors, 1, settings);
    SparkSession spark = cluster.session();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                remote = Math.max(remote, end.taskMetrics().shuffleReadMetrics().remoteBytesRead());
              }
            });
    return spark
        .range(0, ROWS, 1, 1)
        .selectExpr("id", "repeat(cast(id % 10 as string), 1048576) s")
        .repartition(1, functions.col("id"))
        .javaRDD();
  }

  private static long sum(JavaRDD<Row> rows) {
    return rows.map((Function<Row, Long>) row -> row.getLong(0) + row.getString(1).length())
        .reduce(Long::sum);
  }

  private static final long SUM = ROWS * (ROWS - 1L) / 2 + ROWS * (1L << 20);

  @Test
  void byAnotherExecutor() {
    JavaRDD<Row> rows = shuffled(2, "3400m");
    // Spark chooses the executor of the one reduce task as it likes.
    for (int i = 0; i < 12 && remote < 3 * GIB; i++) {
      assertThat(sum(rows)).isEqualTo(SUM);
    }
    assertThat(remote).isGreaterThan(3 * GIB);
  }

  /** The last rows are on disk, so the block is read as a stream. */
  @Test
  void byTheSameExecutorPartlyFromDisk() {
    assertThat(sum(shuffled(1, "3g"))).isEqualTo(SUM);
  }
}
