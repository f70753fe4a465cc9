package numaspark.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import numaspark.plugin.DriverMetrics;
import numaspark.plugin.SparkCluster;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;

/** Delays of real tasks, which a loaded machine may make longer, never shorter. */
class DelayIT {
  private static final String PERCENT = "spark.numaspark.trial.delayPercent";
  private static final int TASK_MILLIS = 200;
  private static final int LONG_MILLIS = 5000;

  /** Tasks of local executors run in this JVM. */
  private static final AtomicInteger RAN = new AtomicInteger();

  private static JavaRDD<Integer> tasks(SparkCluster cluster, int number, int millis) {
    List<Integer> numbers = IntStream.range(0, number).boxed().toList();
    return cluster
        .context()
        .parallelize(numbers, number)
        .map(
            x -> {
              TimeUnit.MILLISECONDS.sleep(millis);
              RAN.incrementAndGet();
              return x * x;
            });
  }

  private static boolean isAnyTaskWaiting() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().equals(Delay.class.getName())
                    && frame.getMethodName().equals("await"));
  }

  private static void awaitDelayed(int tasks) {
    SparkCluster.await(
        tasks + " delayed tasks", () -> DriverMetrics.value("trial.delayedTasks") >= tasks);
  }

  @Test
  void tasksAfterTheFirstOnesAreDelayedAndRunAsBefore() {
    try (SparkCluster cluster = SparkCluster.local(2, Map.of(PERCENT, "100"))) {
      assertThat(tasks(cluster, 6, TASK_MILLIS).collect()).containsExactly(0, 1, 4, 9, 16, 25);
      assertThat(tasks(cluster, 4, TASK_MILLIS).collect()).containsExactly(0, 1, 4, 9);
      // Two begin at once, and the others when one of them has ended.
      awaitDelayed(8);
      assertThat(DriverMetrics.value("trial.delayMillis")).isGreaterThanOrEqualTo(8 * TASK_MILLIS);
    }
  }

  @Test
  void delaysOfExecutorsReachTheDriver() {
    try (SparkCluster cluster = SparkCluster.start(2, 1, Map.of(PERCENT, "50"))) {
      assertThat(tasks(cluster, 8, TASK_MILLIS).collect()).hasSize(8);
      // One for each executor is not delayed.
      awaitDelayed(6);
      assertThat(DriverMetrics.value("trial.delayMillis")).isGreaterThanOrEqualTo(3 * TASK_MILLIS);
    }
  }

  @Test
  void aTaskKilledWhileItWaitsNeverRuns() {
    try (SparkCluster cluster = SparkCluster.local(1, Map.of(PERCENT, "100"))) {
      tasks(cluster, 1, LONG_MILLIS).collect();
      int before = RAN.get();
      JavaFutureAction<List<Integer>> job = tasks(cluster, 1, 0).collectAsync();
      SparkCluster.await("a task that waits", DelayIT::isAnyTaskWaiting);

      job.cancel(true);

      assertThatThrownBy(job::get).isInstanceOf(Exception.class);
      awaitDelayed(1);
      assertThat(DriverMetrics.value("trial.delayMillis")).isLessThan(LONG_MILLIS);
      assertThat(RAN).hasValue(before);
    }
  }

  @Test
  void withoutThePropertyNothingIsThere() {
    try (SparkCluster cluster = SparkCluster.local(1, Map.of())) {
      assertThat(tasks(cluster, 2, 0).collect()).containsExactly(0, 1);
      assertThatIllegalStateException().isThrownBy(() -> DriverMetrics.value("trial.delayMillis"));
    }
  }

  @Test
  void aWrongValueStopsTheApplication() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SparkCluster.local(1, Map.of(PERCENT, "101")).close())
        .withMessageContaining(PERCENT + "=101: expected a whole number from 0 to 100");
  }
}
