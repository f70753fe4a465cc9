package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Executors that come with the work and go without it. */
@Order(10)
@Tag("lifecycle")
class DynamicAllocationE2E {
  private static final String NAME = "waves";
  private static final Duration RUN = Duration.ofMinutes(10);

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
  }

  @Test
  void executorsFollowTheWork() {
    // The idle time lets the status show all executors, although there is no work any more.
    Lab.apply(
            Applications.ordinary(
                NAME,
                "io.numaspark.examples.Waves",
                """
                arguments: ["3", "1"]
                dynamicAllocation: {enabled: true, initialExecutors: 1, minExecutors: 1, maxExecutors: 3}
                """,
                "spark.dynamicAllocation.executorIdleTimeout: 10s"))
        .orFail();

    Lab.awaitObject(
        "sparkapplications.numaspark.io",
        NAME,
        RUN,
        application -> application.at("/status/executorCounts/running").asInt() == 3);
    Applications.awaitCompleted(NAME, RUN);

    assertThat(Applications.driverLines(NAME, "BUSY ")).containsExactly("BUSY executors=3");
    assertThat(Applications.driverLines(NAME, "IDLE ")).containsExactly("IDLE executors=1");
  }
}
