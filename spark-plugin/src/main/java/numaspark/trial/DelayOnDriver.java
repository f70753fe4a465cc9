package numaspark.trial;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.io.Serializable;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import numaspark.feature.DriverFeature;
import numaspark.feature.PluginSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of how long the tasks of all executors have waited, lost executors included. Their meaning
 * is in docs/spark-plugin.md.
 *
 * <p>Limit: it grows with the number of executors, as the driver itself does.
 */
public final class DelayOnDriver implements DriverFeature {
  private static final Logger LOG = LoggerFactory.getLogger(DelayOnDriver.class);

  private final Map<String, DelayTime> last = new ConcurrentHashMap<>();

  DelayOnDriver() {}

  /** The part, when its property asks for it. A wrong value stops the application here. */
  public static Optional<DriverFeature> of(PluginSettings settings) {
    TrialSettings read = TrialSettings.of(settings);
    if (!read.delays()) {
      return Optional.empty();
    }
    LOG.warn(
        "Tasks are delayed on purpose, because {}{}={}: each waits for {} % of the mean run time"
            + " of tasks",
        PluginSettings.PREFIX,
        TrialSettings.DELAY_PERCENT,
        read.delayPercent(),
        read.delayPercent());
    return Optional.of(new DelayOnDriver());
  }

  @Override
  public boolean receive(Serializable message) {
    if (message instanceof DelayTime time) {
      last.put(time.executor(), time);
      return true;
    }
    return false;
  }

  @Override
  public void register(MetricRegistry metrics) {
    gauge(metrics, "delayMillis", DelayTime::millis);
    gauge(metrics, "delayedTasks", DelayTime::tasks);
  }

  private void gauge(MetricRegistry metrics, String name, ToLongFunction<DelayTime> value) {
    Gauge<Long> sum = () -> last.values().stream().mapToLong(value).sum();
    metrics.register("trial." + name, sum);
  }
}
