package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Shuffles through memory pages, adaptive executors and the plugin's proof of pinning, on executors
 * that are pinned in both NUMA nodes: the jar arrives by an image volume, the pages in a folder of
 * the node, and the executors are Guaranteed and pinned as without them.
 */
@Order(14)
@Tag("spark-plugin")
class SparkPluginE2E {
  private static final String NAME = "row-shuffle";
  private static final int EXECUTORS = 3;
  private static final Duration SLOW = Duration.ofMinutes(25);
  private static final String GAUGES =
      "metrics_spark_driver_plugin_numaspark_plugin_NumasparkPlugin_";

  /** So that every executor has rows of its own to shuffle. */
  private static final String ALL_FIRST =
      """
      spark.scheduler.minRegisteredResourcesRatio: "1.0"
      spark.scheduler.maxRegisteredResourcesWaitingTime: 1200s
      """;

  @AfterAll
  static void delete() {
    RowShuffle.delete(NAME);
  }

  @Test
  void pinnedExecutorsShareThePagesOfTheirNode() {
    delete();
    Applications.awaitNoPods(NAME);
    Applications.applyProfile();
    RowShuffle.apply(NAME, EXECUTORS, Duration.ofMinutes(2), ALL_FIRST);

    JsonNode pinned =
        Lab.awaitObject(
            "sparkapplications.numaspark.io",
            NAME,
            SLOW,
            app ->
                app.at("/status/executorCounts/pinned").asInt() == EXECUTORS
                    || Lab.state(app).equals("FAILED"));
    assertThat(Lab.state(pinned)).as(pinned.path("status").toPrettyString()).isEqualTo("RUNNING");
    assertThat(Lab.condition(pinned, "Pinned").path("status").asText()).isEqualTo("True");
    List<JsonNode> pods = Lab.list("pods", Applications.executors(NAME));
    assertThat(pods).hasSize(EXECUTORS).allSatisfy(SparkPluginE2E::checkPod);
    assertThat(pinned.at("/status/executors"))
        .as("both NUMA nodes have executors")
        .extracting(executor -> executor.path("numaNode").asInt())
        .contains(0, 1);

    await("the job's result")
        .atMost(SLOW)
        .pollInterval(Duration.ofSeconds(5))
        .until(() -> !Applications.driverLines(NAME, "ROWS ").isEmpty());
    long rows = RowShuffle.ROWS;
    assertThat(Applications.driverLines(NAME, "ROWS "))
        .containsExactly(
            "ROWS total=%d groups=97 sum=%d".formatted(rows * (rows - 1) / 2, sumOfJoin(rows)));
    assertThat(RowShuffle.foldersOfExecutors())
        .as("folders of pages on the node")
        .hasSize(EXECUTORS);
    String metrics = metrics();
    assertThat(gauge(metrics, "facts_executors_Value")).as(metrics).isEqualTo("3");
    assertThat(gauge(metrics, "facts_executorsPinned_Value")).as(metrics).isEqualTo("3");

    Applications.awaitCompleted(NAME, SLOW);
    await("executors delete their pages when they end")
        .atMost(Duration.ofMinutes(6))
        .pollInterval(Duration.ofSeconds(5))
        .untilAsserted(() -> assertThat(RowShuffle.foldersOfExecutors()).isEmpty());
  }

  private static void checkPod(JsonNode pod) {
    assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Guaranteed");
    JsonNode resources = pod.at("/spec/containers/0/resources");
    assertThat(resources.at("/limits/memory").asText())
        .as("as large as the slot, pages included: 768 MiB and 384 MiB of overhead")
        .isEqualTo("1152Mi")
        .isEqualTo(resources.at("/requests/memory").asText());
    assertThat(pod.at("/spec/initContainers")).isEmpty();
    assertThat(pod.at("/spec/volumes"))
        .anyMatch(
            volume -> volume.at("/image/reference").asText().equals("numaspark/spark-plugin:dev"));
  }

  private static long sumOfJoin(long rows) {
    long sum = 0;
    for (long id = 0; id < rows; id++) {
      sum += 2 * (id % 97);
    }
    return sum;
  }

  private static String metrics() {
    String address = Lab.get("pod", NAME + "-driver").at("/status/podIP").asText();
    return Lab.nodeExec(
            "native-0", "curl", "-fsS", "http://" + address + ":4040/metrics/prometheus/")
        .orFail()
        .out();
  }

  private static String gauge(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(GAUGES + name))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("not there");
  }
}
