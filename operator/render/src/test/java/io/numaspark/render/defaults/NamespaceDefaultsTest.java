package io.numaspark.render.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NamespaceDefaultsTest {
  private static NamespaceDefaults of(String key, String value) {
    return NamespaceDefaults.of("jobs", Map.of("defaults.numaspark.io/" + key, value));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "image | registry.example.com:5000/spark@sha256:0f",
        "image | spark:{{SPARK_VERSION}}",
        "spark-version | 4.3.0",
        "image-pull-secrets | regcred , other.one",
        "service-account | spark-jobs",
        "node-profile | dual-socket",
        "event-log-dir | s3a://logs/spark",
        "event-log-dir | file:/mnt/logs",
        "event-log-dir | /mnt/logs",
        "time-to-live-seconds | 86400",
        "time-to-live-seconds | ' 0 '"
      })
  void goodValuesAreTaken(String key, String value) {
    NamespaceDefaults defaults = of(key, value);
    assertThat(defaults.values()).containsValue(value.strip()).hasSize(1);
    assertThat(defaults.warnings()).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "image | a b | is 'a b', so nothing is filled in; write the name of an image",
        "image | '' | is empty, so nothing is filled in; write the name of an image",
        "spark-version | latest | is 'latest', so nothing is filled in; write a version of Spark, such as 4.3.0",
        "image-pull-secrets | a,,b | write 1 to 16 names of Secrets, with commas between them",
        "image-pull-secrets | a, | write 1 to 16 names of Secrets",
        "image-pull-secrets | '[\"a\"]' | write 1 to 16 names of Secrets",
        "image-pull-secrets | a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q | write 1 to 16 names of Secrets",
        "service-account | Spark | is 'Spark', so nothing is filled in; write the name of a service account",
        "service-account | a..b | write the name of a service account",
        "node-profile | a.b | write the name of a SparkNodeProfile",
        "event-log-dir | logs | write a folder, such as s3a://logs/spark or /mnt/logs",
        "event-log-dir | '/a b' | write a folder",
        "time-to-live-seconds | 1d | write a whole number of seconds, from 0 to 999999999",
        "time-to-live-seconds | -1 | is '-1', so nothing is filled in",
        "time-to-live-seconds | 1000000000 | write a whole number of seconds"
      })
  void badValuesAreLeftOutWithAWarning(String key, String value, String warning) {
    NamespaceDefaults defaults = of(key, value);
    assertThat(defaults.values()).isEmpty();
    assertThat(defaults.warnings())
        .singleElement()
        .asString()
        .startsWith("namespace jobs, annotation defaults.numaspark.io/" + key + ": is ")
        .contains(warning);
  }

  static String[] hostile() {
    return new String[] {
      "a".repeat(200_000),
      "a,".repeat(100_000),
      "\u0000\u001b[31m\u0085\r\nX: y",
      "é\ud800",
      "-".repeat(200_000)
    };
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void whatStrangersWriteIsQuotedShortAndPrintable(String value) {
    for (DefaultField field : DefaultField.values()) {
      NamespaceDefaults defaults =
          NamespaceDefaults.of("jobs", Map.of("defaults.numaspark.io/" + key(field), value));
      assertThat(defaults.values()).isEmpty();
      assertThat(defaults.warnings())
          .singleElement()
          .asString()
          .matches("[ -~]+")
          .hasSizeLessThan(239);
    }
  }

  private static String key(DefaultField field) {
    return DefaultField.keys().split(", ")[field.ordinal()];
  }

  @Test
  void unknownKeysAreSaidAndOtherAnnotationsAreNotRead() {
    NamespaceDefaults defaults =
        NamespaceDefaults.of(
            "jobs", Map.of("defaults.numaspark.io/imgae", "spark", "example.com/image", "spark"));
    assertThat(defaults.values()).isEmpty();
    assertThat(defaults.warnings())
        .containsExactly(
            "namespace jobs, annotation defaults.numaspark.io/imgae: is not known; use one of image, spark-version,"
                + " image-pull-secrets, service-account, node-profile, event-log-dir, time-to-live-seconds");
  }
}
