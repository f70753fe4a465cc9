package numaspark.plugin;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.PluginContext;

/** Which parts there are; each says by its own properties whether it is wanted. */
final class Features {
  private Features() {}

  static List<DriverFeature> onDriver(
      SparkContext spark, PluginContext context, Settings settings) {
    return new ArrayList<>();
  }

  static List<ExecutorFeature> onExecutor(PluginContext context, Settings settings) {
    return new ArrayList<>();
  }
}
