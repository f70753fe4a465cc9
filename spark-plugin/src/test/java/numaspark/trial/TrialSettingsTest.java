package numaspark.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import numaspark.feature.PluginSettings;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialSettingsTest {

  private static PluginSettings with(String value) {
    return new PluginSettings(
        new SparkConf(false).set("spark.numaspark.trial.delayPercent", value));
  }

  @Test
  void thereIsNoDelayUnlessAskedFor() {
    PluginSettings nothing = new PluginSettings(new SparkConf(false));
    assertThat(TrialSettings.of(nothing).delays()).isFalse();
    assertThat(DelayOnDriver.of(nothing)).isEmpty();
    assertThat(DelayOnDriver.of(with("0"))).isEmpty();
    // Without a context: off, nothing is made.
    assertThat(DelayOnExecutor.of(null, nothing)).isEmpty();
    assertThat(DelayOnExecutor.of(null, with("0"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 100})
  void aPercentageIsTaken(int percent) {
    assertThat(TrialSettings.of(with(Integer.toString(percent))))
        .isEqualTo(new TrialSettings(percent));
    assertThat(DelayOnDriver.of(with(Integer.toString(percent)))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "some", "-1", "101", "20.5", "20 %", "20%"})
  void wrongValuesNamePropertyAndRange(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayOnDriver.of(with(value)))
        .withMessageContaining("spark.numaspark.trial.delayPercent=" + value + ":")
        .withMessageContaining("a whole number from 0 to 100");
  }
}
