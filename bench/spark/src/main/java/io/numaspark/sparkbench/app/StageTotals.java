package io.numaspark.sparkbench.app;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Adds up task metrics since the last reset. Limit: the listener bus is asynchronous; ask after it
 * is empty.
 */
final class StageTotals extends SparkListener {

  private final Map<String, Long> totals = new LinkedHashMap<>();

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    add("tasks", 1);
    TaskMetrics metrics = end.taskMetrics();
    if (metrics == null) {
      return;
    }
    add("runMillis", metrics.executorRunTime());
    add("taskCpuMillis", metrics.executorCpuTime() / 1_000_000);
    add("gcMillis", metrics.jvmGCTime());
    add("inputBytes", metrics.inputMetrics().bytesRead());
    add("outputBytes", metrics.outputMetrics().bytesWritten());
    add("shuffleBytes", metrics.shuffleWriteMetrics().bytesWritten());
    add("shuffleRecords", metrics.shuffleWriteMetrics().recordsWritten());
    add("spilledBytes", metrics.diskBytesSpilled());
  }

  private void add(String name, long value) {
    totals.merge(name, value, Long::sum);
  }

  synchronized void reset() {
    totals.clear();
  }

  synchronized Map<String, Long> totals() {
    return new LinkedHashMap<>(totals);
  }
}
