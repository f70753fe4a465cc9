package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The same operator runs every Spark line that is still in use, in Python as in Java, unpinned as
 * pinned.
 */
class SparkVersionsE2E {
  private static final Duration NATIVE = Duration.ofMinutes(12);
  private static final Duration EMULATED = Duration.ofMinutes(20);

  private final List<String> started = new ArrayList<>();

  @AfterEach
  void cleanUp() {
    started.forEach(name -> Lab.delete("sparkapplication", name));
  }

  @Test
  void pythonRunsOnEverySpark() {
    List<String> sparks = new ArrayList<>(Applications.OLDER_SPARKS);
    sparks.add(Applications.SPARK);
    for (String spark : sparks) {
      start(Applications.python(name("squares", spark), spark, "squares.py", "arguments: [\"2\"]"));
      started.add(name("squares", spark));
    }
    for (String spark : sparks) {
      awaitCompleted(name("squares", spark), NATIVE);
      assertThat(Applications.driverLines(name("squares", spark), "SQUARES "))
          .as("Spark %s", spark)
          .containsExactly(
              "SQUARES rdd=332833500 dataframe=332833500 driverPython=3.11 executorPython=3.11");
    }
  }

  @Test
  void executorsOfOlderSparksArePinned() {
    Applications.applyProfile();
    for (String spark : Applications.OLDER_SPARKS) {
      start(
          Applications.pinned(name("pinned", spark), spark, Applications.MAIN_CLASS, 1, "[\"2\"]"));
      started.add(name("pinned", spark));
    }
    for (String spark : Applications.OLDER_SPARKS) {
      JsonNode application = awaitCompleted(name("pinned", spark), EMULATED);
      assertThat(Lab.condition(application, "Pinned").path("status").asText())
          .as("Spark %s: %s", spark, application.path("status").toPrettyString())
          .isEqualTo("True");
      String cpus = application.at("/status/executors/0/cpus").asText();
      assertThat(cpus).isNotEmpty();
      assertThat(Applications.driverLines(name("pinned", spark), "EXECUTOR "))
          .as("Spark %s", spark)
          .singleElement()
          .asString()
          .contains(" cpus=" + cpus + " ");
    }
  }

  private static void start(String manifest) {
    Lab.apply(manifest).orFail();
  }

  private static JsonNode awaitCompleted(String name, Duration atMost) {
    JsonNode application = Lab.awaitState(name, atMost, "COMPLETED", "FAILED");
    assertThat(Lab.state(application))
        .as("%s: %s", name, application.path("status").toPrettyString())
        .isEqualTo("COMPLETED");
    return application;
  }

  private static String name(String job, String spark) {
    return job + "-" + spark.replace('.', '-');
  }
}
