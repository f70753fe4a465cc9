package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A schedule of every minute starts real runs, one after the other, and keeps as many as it is
 * told.
 */
@Order(8)
@Tag("lifecycle")
class ScheduleE2E {
  private static final String NAME = "minutely";
  private static final Duration RUN = Duration.ofMinutes(8);

  @AfterEach
  void cleanUp() {
    Lab.delete("scheduledsparkapplications.numaspark.io", NAME);
  }

  @Test
  void runsFollowTheSchedule() {
    Lab.apply(scheduled()).orFail();

    JsonNode first =
        Lab.awaitObject(
            "scheduledsparkapplications.numaspark.io",
            NAME,
            Duration.ofMinutes(2),
            schedule -> !schedule.at("/status/lastRunName").asText().isEmpty());
    String firstRun = first.at("/status/lastRunName").asText();
    assertThat(first.at("/status/scheduleState").asText()).isEqualTo("Scheduled");
    assertThat(first.at("/status/nextRun").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00Z");
    Applications.awaitCompleted(firstRun, RUN);
    JsonNode done =
        Lab.awaitObject(
            "scheduledsparkapplications.numaspark.io",
            NAME,
            Duration.ofMinutes(2),
            schedule -> !schedule.at("/status/pastSuccessfulRunNames/0").asText().isEmpty());
    assertThat(done.at("/status/pastSuccessfulRunNames"))
        .extracting(JsonNode::asText)
        .contains(firstRun);
    assertThat(done.at("/status/pastFailedRunNames")).isEmpty();
  }

  private static String scheduled() {
    return """
        apiVersion: numaspark.io/v1alpha1
        kind: ScheduledSparkApplication
        metadata: {name: %s}
        spec:
          schedule: "* * * * *"
          concurrencyPolicy: Forbid
          successfulRunHistoryLimit: 2
          template:
        %s
        """
        .formatted(
            NAME,
            Applications.spec(
                    Applications.SPARK,
                    Applications.MAIN_CLASS,
                    Applications.SMALL_DRIVER
                        + "\n"
                        + Applications.NATIVE_EXECUTOR
                        + "arguments: [\"2\"]\n"
                        + Applications.PATIENT_CONF)
                .indent(4));
  }
}
