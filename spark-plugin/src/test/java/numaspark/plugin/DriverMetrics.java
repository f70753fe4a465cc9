package numaspark.plugin;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import scala.collection.Iterable;
import scala.collection.Iterator;

/** Reads the plugin's metrics in the driver that runs in this JVM. */
public final class DriverMetrics {
  private DriverMetrics() {}

  /** A count or gauge by its name, for example {@code adaptive.withheldCores}. */
  public static long value(String name) {
    try {
      // Its list of sources is another class in Scala 2.12 than in 2.13.
      Object system = SparkEnv.get().metricsSystem();
      Object sources =
          system
              .getClass()
              .getMethod("getSourcesByName", String.class)
              .invoke(system, "plugin.numaspark.plugin.NumasparkPlugin");
      Iterator<?> each = ((Iterable<?>) sources).iterator();
      while (each.hasNext()) {
        Metric metric = ((Source) each.next()).metricRegistry().getMetrics().get(name);
        if (metric instanceof Counter counter) {
          return counter.getCount();
        }
        if (metric instanceof Gauge<?> gauge) {
          return ((Number) gauge.getValue()).longValue();
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException("no metric " + name);
  }
}
