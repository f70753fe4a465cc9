package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Older Sparks in the three slots of the emulated node: a shuffle-heavy job of 4.1 in two, and at
 * the same time one of 3.5 in the third.
 */
@Order(11)
@Tag("older-sparks")
class PinnedOlderSparksE2E {
  private static final String SHUFFLE = "shuffle-sum";
  private static final String OLDEST = "oldest-pi";
  private static final Duration EMULATED = Duration.ofMinutes(20);
  private static final long RECORDS = 20_000;
  private static final Pattern REPORT =
      Pattern.compile(
          "SHUFFLE records=(?<records>\\d+) sum=(?<sum>\\d+) written=(?<written>\\d+)"
              + " readLocal=(?<local>\\d+) readRemote=(?<remote>\\d+)");

  @BeforeAll
  static void start() {
    Applications.applyProfile();
    Lab.apply(
            Applications.pinned(
                SHUFFLE,
                Applications.SPARK_4_1,
                "io.numaspark.examples.ShuffleSum",
                2,
                "[\"%d\", \"512\", \"8\"]".formatted(RECORDS)))
        .orFail();
    // The kubelet fills NUMA node 0 first, which has one slot: the next executor would go to node
    // 1.
    await("both executors are admitted")
        .atMost(EMULATED)
        .until(() -> runningExecutors(SHUFFLE) == 2);
    Lab.apply(
            Applications.pinned(
                OLDEST, Applications.SPARK_3_5, Applications.MAIN_CLASS, 1, "[\"2\"]"))
        .orFail();
  }

  @AfterAll
  static void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", SHUFFLE);
    Lab.delete("sparkapplications.numaspark.io", OLDEST);
  }

  @Test
  void aShuffleBetweenTwoNumaNodesLosesNothing() {
    JsonNode application = Applications.awaitCompleted(SHUFFLE, EMULATED);

    assertPinned(application);
    assertThat(application.at("/status/executors"))
        .extracting(executor -> executor.path("numaNode").asText())
        .containsExactlyInAnyOrder("0", "1");
    List<String> reports = Applications.driverLines(SHUFFLE, "SHUFFLE ");
    assertThat(reports).hasSize(1);
    Matcher report = REPORT.matcher(reports.get(0));
    assertThat(report.matches()).as(reports.get(0)).isTrue();
    assertThat(number(report, "records")).isEqualTo(RECORDS);
    assertThat(number(report, "sum")).isEqualTo(RECORDS * (RECORDS - 1) / 2);
    assertThat(number(report, "remote")).as("bytes from the other executor").isPositive();
    assertThat(number(report, "local") + number(report, "remote"))
        .as("bytes read are the bytes written")
        .isEqualTo(number(report, "written"));
  }

  @Test
  void theOldestSparkIsPinnedWhereTheStatusSays() {
    JsonNode application = Applications.awaitCompleted(OLDEST, EMULATED);

    assertPinned(application);
    String cpus = application.at("/status/executors/0/cpus").asText();
    assertThat(cpus).isNotEmpty();
    assertThat(Applications.driverLines(OLDEST, "EXECUTOR "))
        .singleElement()
        .asString()
        .contains(" cpus=" + cpus + " ");
  }

  private static void assertPinned(JsonNode application) {
    assertThat(Lab.condition(application, "Pinned").path("status").asText())
        .as(application.path("status").toPrettyString())
        .isEqualTo("True");
  }

  private static long runningExecutors(String name) {
    return Applications.executorPhases(name).stream().filter("Running"::equals).count();
  }

  private static long number(Matcher report, String group) {
    return Long.parseLong(report.group(group));
  }
}
