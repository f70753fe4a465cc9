package numaspark.facts;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * CPU time and input of all tasks that have ended, for CPU seconds per input byte: what the same
 * work costs, whatever ran how fast.
 *
 * <p>Limit: a task counts when it ends; one whose executor was lost tells nothing.
 */
final class TaskTotals extends SparkListener {
  private static final double NANOS = 1e9;

  private final LongAdder cpuNanos = new LongAdder();
  private final LongAdder inputBytes = new LongAdder();

  @Override
  public void onTaskEnd(SparkListenerTaskEnd task) {
    TaskMetrics metrics = task.taskMetrics();
    if (metrics != null) {
      add(metrics.executorCpuTime(), metrics.inputMetrics().bytesRead());
    }
  }

  void add(long nanosOfCpu, long bytesRead) {
    cpuNanos.add(nanosOfCpu);
    inputBytes.add(bytesRead);
  }

  void register(MetricRegistry metrics) {
    Gauge<Double> seconds = () -> cpuNanos.sum() / NANOS;
    Gauge<Long> bytes = inputBytes::sum;
    metrics.register(MetricRegistry.name("facts", "taskCpuSeconds"), seconds);
    metrics.register(MetricRegistry.name("facts", "inputBytes"), bytes);
  }
}
