package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two applications that start all or nothing want the slots of one node. */
@Order(21)
@Tag("sizes")
class GangsE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String FIRST = "gang-first";
  private static final String SECOND = "gang-second";
  private static final Duration START = Duration.ofMinutes(12);
  private static final int SLOTS = 3;

  @BeforeEach
  void applyProfile() {
    Applications.applyProfile();
    awaitSlots();
  }

  @AfterEach
  void cleanUp() {
    for (String name : List.of(FIRST, SECOND)) {
      Lab.delete(KIND, name);
      Applications.awaitNoPods(name);
    }
  }

  @Test
  @Tag("runtime-sizes")
  void theSecondWaitsWithoutAPodUntilItCanRunWhole() {
    Lab.apply(gang(FIRST, SLOTS, 60)).orFail();
    Lab.awaitObject(KIND, FIRST, START, app -> !Lab.state(app).isEmpty() && !Lab.waits(app));
    Lab.apply(gang(SECOND, 2, 20)).orFail();

    JsonNode waiting =
        Lab.awaitObject(
            KIND,
            SECOND,
            START,
            app -> Lab.condition(app, "Ready").path("reason").asText().equals("WaitingForSlots"));
    assertThat(Lab.condition(waiting, "Ready").path("message").asText())
        .containsPattern("needs 2 slots, (0 free|3 free of which 3 are promised to others)");
    assertThat(Lab.waits(waiting)).isTrue();

    JsonNode first = awaitPinned(FIRST, SLOTS);
    assertThat(cpus(first)).as("CPUs of %s", first.at("/status/executors")).hasSize(SLOTS);
    assertThat(Lab.list("pods", "numaspark.io/application=" + SECOND)).isEmpty();
    assertThat(Lab.waits(Lab.get(KIND, SECOND))).isTrue();

    Applications.awaitCompleted(FIRST, START);
    JsonNode second = awaitPinned(SECOND, 2);
    assertThat(cpus(second)).hasSize(2);
    assertThat(Lab.condition(second, "Pinned").path("status").asText()).isEqualTo("True");
    JsonNode end = Applications.awaitCompleted(SECOND, START);
    assertThat(end.at("/status/executorCounts/rejected").asInt()).isZero();
    assertThat(Applications.driverLines(SECOND, "EXECUTOR ")).hasSize(2);
  }

  private static JsonNode awaitPinned(String name, int executors) {
    JsonNode application =
        Lab.awaitObject(
            KIND,
            name,
            START,
            app ->
                app.at("/status/executorCounts/pinned").asInt() == executors
                    || Lab.state(app).equals("FAILED"));
    assertThat(application.at("/status/executorCounts/pinned").asInt())
        .as(application.path("status").toPrettyString())
        .isEqualTo(executors);
    return application;
  }

  private static Set<String> cpus(JsonNode application) {
    Set<String> cpus = new HashSet<>();
    application
        .at("/status/executors")
        .forEach(executor -> cpus.add(executor.path("cpus").asText()));
    return cpus;
  }

  private static String gang(String name, int executors, int seconds) {
    return Applications.pinned(
            name,
            Applications.SPARK,
            Applications.MAIN_CLASS,
            executors,
            "[\"12\", \"%d\"]".formatted(seconds))
        .replace("nodeProfile:", "start: AllOrNothing\n  nodeProfile:");
  }

  private static void awaitSlots() {
    await("the slots of the node")
        .atMost(START)
        .until(() -> Applications.publishedSlots().equals(String.valueOf(SLOTS)));
  }
}
