package numaspark.trial;

import numaspark.feature.PluginSettings;

/**
 * The properties {@code spark.numaspark.trial.*}.
 *
 * @param delayPercent share of the mean run time that each task waits before it runs; 0 is off
 */
record TrialSettings(int delayPercent) {
  static final String DELAY_PERCENT = "trial.delayPercent";

  /**
   * @throws IllegalArgumentException naming the property that is wrong
   */
  static TrialSettings of(PluginSettings settings) {
    return new TrialSettings(settings.whole(DELAY_PERCENT, 0, 0, 100));
  }

  boolean delays() {
    return delayPercent > 0;
  }
}
