package numaspark.facts;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.io.Serializable;
import java.util.Collection;
import java.util.function.Function;
import numaspark.facts.ExecutorFacts.Pinned;
import numaspark.facts.ExecutorFacts.Pressure;
import numaspark.feature.DriverFeature;
import numaspark.feature.PluginSettings;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/**
 * Takes the executors' facts and shows them: as gauges of the whole application, and one by one on
 * a page of the Spark UI.
 */
public final class FactsOnDriver implements DriverFeature {
  private final FactsBoard board = new FactsBoard();
  private final TaskTotals totals = new TaskTotals();

  private FactsOnDriver() {}

  /** The part for this driver; it does nothing when it is switched off. */
  public static DriverFeature start(SparkContext spark, PluginSettings properties) {
    if (!FactsSettings.of(properties).enabled()) {
      return new DriverFeature() {};
    }
    FactsOnDriver facts = new FactsOnDriver();
    spark.addSparkListener(
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            facts.board.forget(removed.executorId());
          }
        });
    spark.addSparkListener(facts.totals);
    UserInterface.attach(spark, facts.board);
    return facts;
  }

  @Override
  public boolean receive(Serializable message) {
    if (message instanceof ExecutorFacts facts) {
      board.put(facts);
      return true;
    }
    return false;
  }

  @Override
  public void register(MetricRegistry metrics) {
    gauges(board, metrics);
    totals.register(metrics);
  }

  /** Their meaning, units and ranges are in docs/spark-plugin.md. */
  static void gauges(FactsBoard board, MetricRegistry metrics) {
    gauge(metrics, "executors", () -> board.executors().size());
    gauge(metrics, "executorsPinned", count(board, Pinned.YES));
    gauge(metrics, "executorsCpusSpanNodes", count(board, Pinned.CPUS_SPAN_NODES));
    gauge(metrics, "executorsMemorySpansNodes", count(board, Pinned.MEMORY_SPANS_NODES));
    gauge(metrics, "executorsOnAllCpus", count(board, Pinned.ALL_CPUS));
    gauge(metrics, "executorsPinningUnknown", count(board, Pinned.UNKNOWN));
    gauge(metrics, "pageLocalityMin", over(board, FactsSummary::least, FactsSummary::locality));
    gauge(metrics, "pageLocalityMean", over(board, FactsSummary::mean, FactsSummary::locality));
    gauge(metrics, "throttledSeconds", board::throttledSeconds);
    gauge(metrics, "runQueueWaitMean", over(board, FactsSummary::mean, FactsSummary::waitShare));
    gauge(metrics, "runQueueWaitMax", over(board, FactsSummary::most, FactsSummary::waitShare));
    gauge(metrics, "gcShareMean", over(board, FactsSummary::mean, ExecutorFacts::gcShare));
    gauge(metrics, "gcShareMax", over(board, FactsSummary::most, ExecutorFacts::gcShare));
    gauge(metrics, "tasksRunning", over(board, FactsSummary::sum, FactsSummary::tasks));
    gauge(metrics, "cpusUsed", over(board, FactsSummary::sum, FactsSummary::cpus));
    gauge(metrics, "cpuPressureMax", pressure(board, Pressure::cpu));
    gauge(metrics, "memoryPressureMax", pressure(board, Pressure::memory));
    gauge(metrics, "ioPressureMax", pressure(board, Pressure::io));
  }

  private static void gauge(MetricRegistry metrics, String name, Gauge<?> gauge) {
    metrics.register(MetricRegistry.name("facts", name), gauge);
  }

  private static Gauge<Long> count(FactsBoard board, Pinned verdict) {
    return () -> FactsSummary.count(board.executors(), verdict);
  }

  private static Gauge<Double> pressure(FactsBoard board, Function<Pressure, Double> resource) {
    return over(board, FactsSummary::most, facts -> FactsSummary.pressure(facts, resource));
  }

  private static Gauge<Double> over(
      FactsBoard board, Aggregate aggregate, Function<ExecutorFacts, Double> value) {
    return () -> aggregate.of(board.executors(), value);
  }

  private interface Aggregate {
    double of(Collection<ExecutorFacts> facts, Function<ExecutorFacts, Double> value);
  }
}
