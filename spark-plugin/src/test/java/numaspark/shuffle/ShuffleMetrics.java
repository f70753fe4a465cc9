package numaspark.shuffle;

import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Sums over the tasks of one query, as Spark's UI shows them. */
record ShuffleMetrics(
    long recordsWritten,
    long bytesWritten,
    long recordsRead,
    long bytesRead,
    long remoteBytesRead) {

  static ShuffleMetrics of(SparkSession spark, Function<SparkSession, Dataset<Row>> query) {
    AtomicLongArray sums = new AtomicLongArray(6);
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            TaskMetrics metrics = end.taskMetrics();
            if (metrics != null) {
              sums.addAndGet(0, metrics.shuffleWriteMetrics().recordsWritten());
              sums.addAndGet(1, metrics.shuffleWriteMetrics().bytesWritten());
              sums.addAndGet(2, metrics.shuffleReadMetrics().recordsRead());
              sums.addAndGet(3, metrics.shuffleReadMetrics().totalBytesRead());
              sums.addAndGet(4, metrics.shuffleReadMetrics().remoteBytesRead());
            }
          }
        };
    spark.sparkContext().addSparkListener(listener);
    try {
      Queries.rows(query.apply(spark));
      spark.sparkContext().listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new AssertionError("Spark's events do not end", e);
    } finally {
      spark.sparkContext().removeSparkListener(listener);
    }
    return new ShuffleMetrics(sums.get(0), sums.get(1), sums.get(2), sums.get(3), sums.get(4));
  }
}
