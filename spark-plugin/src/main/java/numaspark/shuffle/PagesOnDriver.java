package numaspark.shuffle;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import numaspark.feature.DriverFeature;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;

/**
 * Gauges of what all executors have in pages; grows with the number of executors, as the driver
 * itself does. Their meaning is in docs/shuffle.md.
 */
public final class PagesOnDriver implements DriverFeature {
  private final Map<String, PagesUse> last = new ConcurrentHashMap<>();

  /** A message can overtake the news that its executor is lost. */
  private final Set<String> lost = ConcurrentHashMap.newKeySet();

  PagesOnDriver() {}

  /** The part, where shuffles may be in pages. */
  public static Optional<DriverFeature> of(SparkContext spark) {
    if (!PagesShuffleManager.isChosen(spark.conf())) {
      return Optional.empty();
    }
    PagesOnDriver pages = new PagesOnDriver();
    spark.addSparkListener(
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            pages.forget(removed.executorId());
          }
        });
    return Optional.of(pages);
  }

  @Override
  public boolean receive(Serializable message) {
    if (message instanceof PagesUse use) {
      last.put(use.executor(), lost.contains(use.executor()) ? use.afterItsEnd() : use);
      return true;
    }
    return false;
  }

  void forget(String executor) {
    lost.add(executor);
    last.computeIfPresent(executor, (id, use) -> use.afterItsEnd());
  }

  @Override
  public void register(MetricRegistry metrics) {
    gauge(metrics, "pagesBytes", PagesUse::heldBytes);
    gauge(metrics, "pagesBudgetBytes", PagesUse::budgetBytes);
    gauge(metrics, "outputs", PagesUse::outputs);
    gauge(metrics, "outputsOnDisk", PagesUse::onDisk);
  }

  private void gauge(MetricRegistry metrics, String name, ToLongFunction<PagesUse> value) {
    Gauge<Long> sum = () -> last.values().stream().mapToLong(value).sum();
    metrics.register("shuffle." + name, sum);
  }
}
