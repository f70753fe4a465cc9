package numaspark.plugin;

import java.util.ArrayList;
import java.util.List;
import numaspark.adaptive.AdaptiveDriver;
import numaspark.adaptive.AdaptiveExecutor;
import numaspark.facts.FactsOnDriver;
import numaspark.facts.FactsReporter;
import numaspark.feature.DriverFeature;
import numaspark.feature.ExecutorFeature;
import numaspark.feature.PluginSettings;
import numaspark.shuffle.PagesOnDriver;
import numaspark.shuffle.PagesReporter;
import numaspark.trial.DelayOnDriver;
import numaspark.trial.DelayOnExecutor;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.PluginContext;

/** Which parts there are; each says by its own properties whether it is wanted. */
final class Features {
  private Features() {}

  static List<DriverFeature> onDriver(
      SparkContext spark, PluginContext context, PluginSettings settings) {
    List<DriverFeature> features = new ArrayList<>();
    AdaptiveDriver.of(spark, settings).ifPresent(features::add);
    PagesOnDriver.of(spark).ifPresent(features::add);
    DelayOnDriver.of(settings).ifPresent(features::add);
    features.add(FactsOnDriver.start(spark, settings));
    return features;
  }

  static List<ExecutorFeature> onExecutor(PluginContext context, PluginSettings settings) {
    List<ExecutorFeature> features = new ArrayList<>();
    AdaptiveExecutor.of(context, settings).ifPresent(features::add);
    PagesReporter.of(context).ifPresent(features::add);
    // After the gate of adaptive executors: before it, tasks would be delayed while others run.
    DelayOnExecutor.of(context, settings).ifPresent(features::add);
    // Last, so that a task that another part lets wait does not count as running.
    features.add(FactsReporter.start(context, settings));
    return features;
  }
}
