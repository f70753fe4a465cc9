package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A suspended application holds nothing; resumed it starts anew and ends. */
@Order(7)
@Tag("lifecycle")
class SuspendE2E {
  private static final String NAME = "sleeper";
  private static final String PODS = "numaspark.io/application=" + NAME;
  private static final Duration ATTEMPT = Duration.ofMinutes(8);

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
  }

  @Test
  void suspendAndResume() {
    Lab.apply(
            Applications.ordinary(NAME, Applications.MAIN_CLASS, "arguments: [\"2\", \"5\"]\n", ""))
        .orFail();
    JsonNode running =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            ATTEMPT,
            application -> application.at("/status/executorCounts/running").asInt() == 1);
    String firstRun = running.at("/status/sparkApplicationId").asText();

    suspend(true);
    Lab.awaitState(NAME, Duration.ofMinutes(2), "SUSPENDED");
    await("its pods are gone")
        .atMost(Duration.ofMinutes(2))
        .until(() -> Lab.list("pods", PODS).isEmpty());

    suspend(false);
    JsonNode application = Applications.awaitCompleted(NAME, ATTEMPT);
    assertThat(application.at("/status/sparkApplicationId").asText()).isNotEqualTo(firstRun);
    assertThat(application.at("/status/executionAttempts").asInt()).isEqualTo(2);
  }

  private static void suspend(boolean suspend) {
    Lab.kubectl(
            "patch",
            "sparkapplications.numaspark.io",
            NAME,
            "--type=merge",
            "--patch={\"spec\":{\"suspend\":%s}}".formatted(suspend))
        .orFail();
  }
}
