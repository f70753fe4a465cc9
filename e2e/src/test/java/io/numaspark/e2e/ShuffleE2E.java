package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job that sends all its data through shuffles, between executors on two NUMA nodes. */
class ShuffleE2E {
  private static final String NAME = "shuffle-sum";
  private static final long RECORDS = 20_000;
  private static final int BYTES_PER_RECORD = 512;
  private static final Pattern REPORT =
      Pattern.compile(
          "SHUFFLE records=(?<records>\\d+) sum=(?<sum>\\d+) written=(?<written>\\d+)"
              + " readLocal=(?<local>\\d+) readRemote=(?<remote>\\d+)");

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplication", NAME);
  }

  @Test
  void everyRecordArrivesAcrossNumaNodes() {
    Applications.applyProfile();
    Lab.apply(
            Applications.pinned(
                NAME,
                Applications.SPARK,
                "io.numaspark.examples.ShuffleSum",
                2,
                "[\"%d\", \"%d\", \"8\"]".formatted(RECORDS, BYTES_PER_RECORD)))
        .orFail();

    JsonNode application = Lab.awaitState(NAME, Duration.ofMinutes(20), "COMPLETED", "FAILED");

    assertThat(Lab.state(application))
        .as(application.path("status").toPrettyString())
        .isEqualTo("COMPLETED");
    assertThat(Lab.condition(application, "Pinned").path("status").asText()).isEqualTo("True");
    assertThat(numaNodes(application)).containsExactlyInAnyOrder("0", "1");
    List<String> reports = Applications.driverLines(NAME, "SHUFFLE ");
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

  private static List<String> numaNodes(JsonNode application) {
    List<String> nodes = new ArrayList<>();
    application
        .at("/status/executors")
        .forEach(executor -> nodes.add(executor.path("numaNode").asText()));
    return nodes;
  }

  private static long number(Matcher report, String group) {
    return Long.parseLong(report.group(group));
  }
}
