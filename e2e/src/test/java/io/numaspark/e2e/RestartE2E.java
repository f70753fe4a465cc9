package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What follows a driver's failure: another attempt, or a final state that names the cause. */
@Order(6)
@Tag("lifecycle")
class RestartE2E {
  private static final String NAME = "restarted";
  private static final Duration ATTEMPTS = Duration.ofMinutes(10);
  private static final String FAILING_JOB = "io.numaspark.examples.FailingJob";

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Applications.awaitNoPods(NAME);
  }

  @Test
  void aSecondAttemptSucceeds() {
    Lab.apply(
            failing(
                "[\"7\", \"1\"]",
                "{type: OnFailure, onFailureRetries: 2, onFailureRetryInterval: 1}"))
        .orFail();

    JsonNode application = Applications.awaitCompleted(NAME, ATTEMPTS);

    assertThat(application.at("/status/executionAttempts").asInt()).isEqualTo(2);
    assertThat(application.at("/status/driverInfo/podName").asText()).isEqualTo(NAME + "-driver-2");
    assertThat(Applications.linesOf(NAME + "-driver-2", "ATTEMPT "))
        .containsExactly("ATTEMPT 2 sum=6 succeeds");
    assertThat(
            Lab.get("pod", NAME + "-driver-2")
                .at("/metadata/labels/numaspark.io~1attempt")
                .asText())
        .isEqualTo("2");
    assertThat(application.at("/status/attempts"))
        .anySatisfy(
            attempt -> {
              assertThat(attempt.path("attempt").asInt()).isEqualTo(1);
              assertThat(attempt.path("state").asText()).isEqualTo("FAILED");
              assertThat(attempt.path("message").asText()).contains("exited with code 7");
            });
  }

  @Test
  void anOomKilledDriverIsExplainedByItsLimit() {
    Lab.apply(
            Applications.of(
                NAME,
                "io.numaspark.examples.MemoryHog",
                """
                arguments: [driver, "2048"]
                driver:
                  memory: 600m
                  coreRequest: 100m
                  javaOptions: -XX:MaxDirectMemorySize=4g
                """
                    + Applications.NATIVE_EXECUTOR
                    + Applications.PATIENT_CONF))
        .orFail();

    JsonNode application = Lab.awaitState(NAME, ATTEMPTS, "COMPLETED", "FAILED");

    assertThat(Lab.state(application))
        .as(application.path("status").toPrettyString())
        .isEqualTo("FAILED");
    assertThat(application.at("/status/applicationState/errorMessage").asText())
        .contains("more than its memory limit of 984Mi");
  }

  private static String failing(String arguments, String restartPolicy) {
    return Applications.of(
        NAME,
        FAILING_JOB,
        """
        arguments: %s
        restartPolicy: %s
        driver:
          memory: 600m
          coreRequest: 100m
          env:
            - name: ATTEMPT
              valueFrom: {fieldRef: {fieldPath: "metadata.labels['numaspark.io/attempt']"}}
        """
                .formatted(arguments, restartPolicy)
            + Applications.NATIVE_EXECUTOR
            + Applications.PATIENT_CONF);
  }
}
