package numaspark.adaptive;

import numaspark.feature.PluginSettings;
import org.apache.spark.SparkConf;

/** PluginSettings for tests, by property. */
final class SettingsOf {
  private SettingsOf() {}

  static AdaptiveSettings dynamic(String... namesAndValues) {
    SparkConf conf = new SparkConf(false).set("spark.numaspark.adaptive.mode", "dynamic");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      conf.set("spark.numaspark.adaptive." + namesAndValues[i], namesAndValues[i + 1]);
    }
    return AdaptiveSettings.of(new PluginSettings(conf));
  }
}
