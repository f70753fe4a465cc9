package numaspark.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import numaspark.feature.PluginSettings;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaptiveSettingsTest {
  @Test
  void isOffUnlessAskedFor() {
    assertThat(AdaptiveSettings.of(new PluginSettings(new SparkConf(false))).mode())
        .isEqualTo(Mode.OFF);
  }

  @ParameterizedTest
  @CsvSource({
    "mode, on, 'off, static or dynamic'",
    "static.threads, 0, a whole number from 1 to 1024",
    "dynamic.criterion, zeta, throughput or congestion",
    "dynamic.minGain, 0.9, a number from 1.0 to 2.0",
    "dynamic.minThreads, 0, a whole number from 1 to 1024",
    "schedulerSlots, yes, true or false"
  })
  void saysWhichPropertyIsWrongAndWhatItMayHold(String name, String value, String remedy) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingsOf.dynamic(name, value))
        .withMessageContaining("spark.numaspark.adaptive." + name + "=" + value)
        .withMessageContaining(remedy);
  }

  @Test
  void mostThreadsAreNotFewerThanLeast() {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.numaspark.adaptive.dynamic.minThreads", "4")
            .set("spark.numaspark.adaptive.dynamic.maxThreads", "3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdaptiveSettings.of(new PluginSettings(conf)))
        .withMessageContaining("spark.numaspark.adaptive.dynamic.maxThreads=3")
        .withMessageContaining("at least minThreads, which is 4");
  }

  @Test
  void theWidestSettingIsAtMostTheSlots() {
    assertThat(SettingsOf.dynamic().most(12)).isEqualTo(12);
    assertThat(SettingsOf.dynamic("dynamic.maxThreads", "8").most(12)).isEqualTo(8);
    assertThat(SettingsOf.dynamic("dynamic.maxThreads", "32").most(12)).isEqualTo(12);
  }
}
