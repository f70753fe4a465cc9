package io.numaspark.render.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkPropertiesTest {
  private static final String KEY = "spark.a";

  @Test
  void theStrongestOriginWinsInAnyOrder() {
    List<Setting> settings = new ArrayList<>(all());
    Collections.reverse(settings);
    assertThat(SparkProperties.of(settings)).isEqualTo(SparkProperties.of(all()));
    assertThat(SparkProperties.of(all()).explained())
        .singleElement()
        .satisfies(
            property -> {
              assertThat(property.value()).isEqualTo("4");
              assertThat(property.given().map(Setting::from)).contains("rule (enforced)");
              assertThat(property.replaced())
                  .extracting(Setting::from)
                  .containsExactly("spec.sparkConf (sparkConf)", "spec.b (field)", "c (derived)");
            });
  }

  private static List<Setting> all() {
    Settings settings = new Settings();
    settings.derived("c").put(KEY, 1);
    settings.field("spec.b").put(KEY, 2);
    settings.user("spec.sparkConf").putAll(Map.of(KEY, "3"));
    settings.enforced("rule").put(KEY, 4);
    return settings.list();
  }

  @Test
  void twoValuesOfOneOriginAreAMistakeOfTheProgram() {
    Settings settings = new Settings();
    settings.field("spec.b").put(KEY, 1);
    settings.field("spec.c").put(KEY, 1);
    assertThatThrownBy(() -> SparkProperties.of(settings.list()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("spark.a: is given by spec.b (field) and by spec.c (field)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          spark.jars                    | none     | x,y
          spark.jars                    | ' a ,x,' | a,x,y
          spark.driver.extraClassPath   | a:b      | a:b:x:y
          spark.driver.extraJavaOptions | -Da="x " | -Da="x " x y
          spark.driver.extraJavaOptions | x        | x x y
          """)
  void itemsComeAfterTheValueOfAList(String key, String given, String expected) {
    Settings settings = new Settings();
    settings.field("spec.items").append(key, List.of("x", "y"));
    if (given != null) {
      settings.user("spec.sparkConf").putAll(Map.of(key, given));
    }
    assertThat(SparkProperties.of(settings.list()).get(key)).isEqualTo(expected);
  }

  @Test
  void whatIsAbsentGivesNothing() {
    Settings settings = new Settings();
    settings.field("spec.b").put(KEY, null).put(KEY, "").putSize(KEY, null).append(KEY, null);
    assertThat(settings.list()).isEmpty();
    settings.field("spec.memory").putSize(KEY, "2g");
    assertThat(SparkProperties.of(settings.list()).asMap()).isEqualTo(Map.of(KEY, "2048m"));
  }
}
