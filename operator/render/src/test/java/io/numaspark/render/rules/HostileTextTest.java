package io.numaspark.render.rules;

import static io.numaspark.render.fixture.Specs.application;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.driver.IngressUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Text that an API server stores (1.5 MiB in all) and that costs a reader far more than its length:
 * a worker of the operator must not be held by it. The limit is not a measurement; what is worse
 * than linear takes minutes.
 */
class HostileTextTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final String PLACE = "7777";
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern PROPERTY = Pattern.compile("\"(spark\\.[A-Za-z0-9.]*[A-Za-z0-9])\"");

  private static final List<String> HOSTILE =
      List.of(
          "9".repeat(1_200_000),
          "1E999999999",
          "1e-999999999",
          " ".repeat(150_000) + "x",
          "a.".repeat(75_000),
          "'\"\\ -X".repeat(20_000),
          "{{ ".repeat(50_000));

  static Stream<String> properties() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        Matcher name = PROPERTY.matcher(Files.readString(file));
        while (name.find()) {
          names.add(name.group(1));
        }
      }
    }
    assertThat(names).hasSizeGreaterThan(50);
    return names.stream();
  }

  @ParameterizedTest
  @MethodSource("properties")
  void aPropertyHoldsNoWorker(String property) {
    for (String value : HOSTILE) {
      SparkApplication application = application("sparkConf: {a: b}");
      application.getSpec().sparkConf().put(property, value);
      assertTimeoutPreemptively(
          LIMIT, () -> render(application), () -> property + ": " + value.substring(0, 8));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1E999999999", "1e-999999999"})
  void noAmountIsWrittenOut(String amount) {
    SparkApplication application =
        application("batchScheduler: volcano", "sparkConf: {spark.executor.cores: '1'}");
    application.getSpec().sparkConf().put("spark.kubernetes.executor.request.cores", amount);
    assertThat(assertTimeoutPreemptively(LIMIT, () -> render(application)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal ->
                assertThat(refusal.message())
                    .startsWith("spec.sparkConf[\"spark.kubernetes.executor.request.cores\"]"));
  }

  static Stream<Arguments> fields() {
    return Stream.of(
            "driver: {coreRequest: '%s'}",
            "driver: {coreLimit: '%s'}",
            "driver: {memory: '%s'}",
            "driver: {memoryLimit: '%s'}",
            "driver: {javaOptions: '%s'}",
            "executor: {coreRequest: '%s'}",
            "executor: {memory: '%s'}",
            "executor: {memoryOverhead: '%s'}",
            "sparkVersion: '%s'",
            "memoryOverheadFactor: '%s'",
            "shuffle: {storage: Memory, size: '%s'}")
        .flatMap(
            field ->
                Stream.of("9".repeat(1_200_000), "a.".repeat(150_000), "1E999999999")
                    .map(value -> Arguments.of(field, value)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fields")
  void aFieldHoldsNoWorker(String field, String value) {
    // By way of JSON, as from an API server: the reader of YAML is slow with long words.
    String json = Serialization.asJson(application(field.formatted(PLACE)));
    SparkApplication application =
        Serialization.unmarshal(json.replace(PLACE, value), SparkApplication.class);
    assertTimeoutPreemptively(LIMIT, () -> render(application));
  }

  @Test
  void aLongUrlIsRefusedWithItsField() {
    assertThatThrownBy(
            () ->
                IngressUrl.of(
                    "spec.driverIngressOptions[0].ingressURLFormat",
                    "a.".repeat(9_000),
                    ApplicationIdentity.of(application(), 1)))
        .hasMessage(
            "spec.driverIngressOptions[0].ingressURLFormat: has 18000 characters; give at most 1024");
  }

  private static RenderResult render(SparkApplication application) {
    return new ApplicationRenderer("spark").render(application, Optional.empty());
  }
}
