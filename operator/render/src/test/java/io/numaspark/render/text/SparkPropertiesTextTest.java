package io.numaspark.render.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkPropertiesTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "  leading and trailing  ",
        "a=b:c#d!e",
        "=first",
        ":first",
        "#first",
        "!first",
        "back\\slash",
        "ends in backslash\\",
        "C:\\new\\table",
        "line\nbreak\r\nand\ttab\fand form feed",
        "ümläut – dash",
        "emoji \uD83D\uDE00",
        "\u0000\u001f\u007f\u00a0\u2028",
        "\\u0041"
      })
  void survivesJavaProperties(String text) throws IOException {
    SortedMap<String, String> properties = new TreeMap<>(Map.of("spark.key", text));
    assertThat(read(SparkPropertiesText.format(properties))).isEqualTo(properties);
    if (!text.isEmpty()) {
      SortedMap<String, String> asKey = new TreeMap<>(Map.of(text, "value"));
      assertThat(read(SparkPropertiesText.format(asKey))).isEqualTo(asKey);
    }
  }

  @Test
  void survivesJavaPropertiesWithRandomText() throws IOException {
    Random random = new Random(4711);
    for (int i = 0; i < 500; i++) {
      SortedMap<String, String> properties = new TreeMap<>();
      for (int j = 0; j < 4; j++) {
        properties.put("k" + text(random), text(random));
      }
      assertThat(read(SparkPropertiesText.format(properties))).isEqualTo(properties);
    }
  }

  @Test
  void isSortedPlainAndWithoutDate() {
    assertThat(
            SparkPropertiesText.format(
                new TreeMap<>(
                    Map.of("spark.b", "x y=z", "spark.a", "k8s://https://kubernetes.default.svc"))))
        .isEqualTo(
            """
            spark.a=k8s://https://kubernetes.default.svc
            spark.b=x y=z
            """);
    assertThat(SparkPropertiesText.format(new TreeMap<>())).isEmpty();
  }

  private static String text(Random random) {
    String alphabet = "ab =:#!\\\n\r\t\f\"'$ü\u2028\u0001";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  private static Map<String, String> read(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    Map<String, String> read = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> read.put(key, properties.getProperty(key)));
    return read;
  }
}
