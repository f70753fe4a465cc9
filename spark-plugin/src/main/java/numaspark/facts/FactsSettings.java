package numaspark.facts;

import java.time.Duration;
import numaspark.feature.PluginSettings;
import org.apache.spark.network.util.JavaUtils;

/**
 * The properties {@code spark.numaspark.facts.*}.
 *
 * @param interval between two samples, 1 s to 10 min
 * @param pagesInterval between two looks at the pages, 10 s to 1 h
 */
record FactsSettings(boolean enabled, Duration interval, Duration pagesInterval) {

  /**
   * @throws IllegalArgumentException for a value that is none or out of its range
   */
  static FactsSettings of(PluginSettings settings) {
    return new FactsSettings(
        settings.flag("facts.enabled", true),
        duration(settings, "facts.interval", "10s", Duration.ofSeconds(1), Duration.ofMinutes(10)),
        duration(
            settings, "facts.pages.interval", "60s", Duration.ofSeconds(10), Duration.ofHours(1)));
  }

  private static Duration duration(
      PluginSettings settings, String name, String otherwise, Duration least, Duration most) {
    String text = settings.text(name, otherwise);
    String expected =
        "a time from " + least.toSeconds() + "s to " + most.toSeconds() + "s, for example 30s";
    try {
      Duration duration = Duration.ofMillis(JavaUtils.timeStringAsMs(text));
      if (duration.compareTo(least) >= 0 && duration.compareTo(most) <= 0) {
        return duration;
      }
    } catch (NumberFormatException e) {
      // said below, with the range
    }
    throw PluginSettings.invalid(name, text, expected);
  }
}
