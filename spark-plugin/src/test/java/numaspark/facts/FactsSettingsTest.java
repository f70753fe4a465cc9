package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import numaspark.feature.PluginSettings;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactsSettingsTest {

  private static FactsSettings of(String name, String value) {
    return FactsSettings.of(new PluginSettings(new SparkConf(false).set(name, value)));
  }

  @Test
  void tenSecondsUnlessSaidOtherwise() {
    FactsSettings settings = FactsSettings.of(new PluginSettings(new SparkConf(false)));
    assertThat(settings)
        .isEqualTo(new FactsSettings(true, Duration.ofSeconds(10), Duration.ofSeconds(60)));
    assertThat(of("spark.numaspark.facts.interval", "1min").interval())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(of("spark.numaspark.facts.enabled", "false").enabled()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "100ms", "11m", "-5s"})
  void wrongTimesNamePropertyAndRange(String value) {
    assertThatThrownBy(() -> of("spark.numaspark.facts.interval", value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spark.numaspark.facts.interval=" + value)
        .hasMessageContaining("1s to 600s");
  }
}
