package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors that come with the work and go without it, asked for by the field or by Spark's own
 * properties.
 */
class DynamicAllocationE2E {
  private static final String NAME = "waves";
  private static final Duration ATTEMPT = Duration.ofMinutes(10);
  private static final int MOST = 2;

  private static final String BY_FIELD =
      """
      dynamicAllocation: {enabled: true, initialExecutors: 1, minExecutors: 1, maxExecutors: 2}
      sparkConf:
      """;
  private static final String BY_PROPERTIES =
      """
      sparkConf:
        spark.dynamicAllocation.enabled: "true"
        spark.dynamicAllocation.shuffleTracking.enabled: "true"
        spark.dynamicAllocation.initialExecutors: "1"
        spark.dynamicAllocation.minExecutors: "1"
        spark.dynamicAllocation.maxExecutors: "2"
      """;

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplication", NAME);
    Lab.kubectl(
            "wait",
            "--for=delete",
            "pod",
            "-l",
            "numaspark.io/application=" + NAME,
            "--timeout=120s")
        .orFail();
  }

  @ParameterizedTest
  @CsvSource({"field", "properties"})
  void executorsFollowTheWork(String how) {
    // Long enough for the status to show all executors, although there is no work any more.
    String idle = "  spark.dynamicAllocation.executorIdleTimeout: 15s\n";
    Lab.apply(
            Applications.ordinary(
                NAME,
                "io.numaspark.examples.Waves",
                "arguments: [\"%d\", \"1\"]\n".formatted(MOST)
                    + (how.equals("field") ? BY_FIELD : BY_PROPERTIES)
                    + idle))
        .orFail();

    Lab.awaitObject(
        "sparkapplication",
        NAME,
        ATTEMPT,
        application -> application.at("/status/executorCounts/running").asInt() == MOST);
    JsonNode application = Lab.awaitState(NAME, ATTEMPT, "COMPLETED", "FAILED");

    assertThat(Lab.state(application))
        .as(application.path("status").toPrettyString())
        .isEqualTo("COMPLETED");
    assertThat(Applications.driverLines(NAME, "BUSY ")).containsExactly("BUSY executors=" + MOST);
    assertThat(Applications.driverLines(NAME, "IDLE ")).containsExactly("IDLE executors=1");
  }
}
