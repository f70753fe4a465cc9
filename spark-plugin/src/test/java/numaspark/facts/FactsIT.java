package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import numaspark.plugin.SparkCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts of real executors, as a Prometheus and a person with a browser find them at the driver. */
class FactsIT {
  private static final String PREFIX =
      "metrics_test_driver_plugin_numaspark_plugin_NumasparkPlugin_facts_";

  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.numaspark.facts.interval", "1s",
          "spark.numaspark.facts.pages.interval", "10s",
          "spark.metrics.namespace", "test",
          "spark.metrics.conf.*.sink.prometheusServlet.class",
              "org.apache.spark.metrics.sink.PrometheusServlet",
          "spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus");

  private final HttpClient http =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

  @Test
  void factsOfTwoExecutorsReachTheDriverAndALostOneIsForgotten() {
    try (SparkCluster cluster = SparkCluster.start(2, 1, SETTINGS)) {
      SparkCluster.await("facts of both", () -> gauge(cluster, "executors") == 2);
      SparkCluster.await("the second samples", () -> gauge(cluster, "cpusUsed") > 0);
      runTasksUntil(cluster, () -> gauge(cluster, "tasksRunning") > 0);

      double verdicts =
          gauge(cluster, "executorsPinned")
              + gauge(cluster, "executorsCpusSpanNodes")
              + gauge(cluster, "executorsMemorySpansNodes")
              + gauge(cluster, "executorsOnAllCpus")
              + gauge(cluster, "executorsPinningUnknown");
      assertThat(verdicts).isEqualTo(2);
      assertThat(gauge(cluster, "gcShareMax")).isBetween(0.0, 1.0);
      assertThat(page(cluster)).satisfies(page -> assertRows(cluster, page, "0", "1"));

      cluster.session().sparkContext().requestTotalExecutors(1, 0, noHosts());
      cluster.kill("0");

      SparkCluster.await("the loss", () -> gauge(cluster, "executors") == 1);
      assertThat(page(cluster)).satisfies(page -> assertRows(cluster, page, "1"));
      assertThat(page(cluster)).doesNotContain("<td>0</td><td>localhost</td>");
    }
  }

  @Test
  void anExecutorInsideTheDriverTellsTooAlsoWithSparksDefaultMetrics() {
    Map<String, String> settings = Map.of("spark.numaspark.facts.interval", "1s");
    try (SparkCluster cluster = SparkCluster.local(1, settings)) {
      SparkCluster.await(
          "its facts",
          () ->
              get(cluster, "/metrics/json/")
                  .matches("(?s).*facts\\.executors\":\\{\"value\":1}.*"));
    }
  }

  @Test
  void tasksTellTheirCpuTimeAndInput(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("lines"), "a line of text\n".repeat(10_000));
    try (SparkCluster cluster = SparkCluster.start(1, 1, SETTINGS)) {
      String path = file.toUri().toString();
      long words = cluster.session().read().textFile(path).filter("length(value) > 1").count();
      assertThat(words).isEqualTo(10_000);
      SparkCluster.await(
          "their input", () -> gauge(cluster, "inputBytes") >= file.toFile().length());
      assertThat(gauge(cluster, "taskCpuSeconds")).isPositive();
    }
  }

  @Test
  void switchedOffThereAreNone() {
    Map<String, String> settings = Map.of("spark.numaspark.facts.enabled", "false");
    try (SparkCluster cluster = SparkCluster.local(1, settings)) {
      assertThat(get(cluster, "/metrics/json/"))
          .contains("driver.DAGScheduler")
          .doesNotContain("facts.");
      assertThat(cluster.session().range(10).count()).isEqualTo(10);
    }
  }

  @Test
  void withoutAUserInterfaceApplicationsRun() {
    try (SparkCluster cluster = SparkCluster.local(1, Map.of("spark.ui.enabled", "false"))) {
      assertThat(cluster.session().range(10).count()).isEqualTo(10);
    }
  }

  private static scala.collection.immutable.Map<String, Object> noHosts() {
    return scala.collection.immutable.Map$.MODULE$.empty();
  }

  private static void runTasksUntil(
      SparkCluster cluster, java.util.function.BooleanSupplier condition) {
    SparkCluster.await(
        "tasks in the facts",
        () -> {
          cluster.context().parallelize(List.of(1, 2, 3, 4), 4).map(FactsIT::slowly).collect();
          return condition.getAsBoolean();
        });
  }

  private static int slowly(int number) throws InterruptedException {
    Thread.sleep(200);
    return number;
  }

  /** Spark 3.5 has no page; see {@link UserInterface}. */
  private static void assertRows(SparkCluster cluster, String page, String... executors) {
    if (!cluster.session().version().startsWith("3.")) {
      assertThat(page).contains("Executors and NUMA nodes", ">NUMA</a>");
      for (String executor : executors) {
        assertThat(page).contains("<td>" + executor + "</td><td>localhost</td>");
      }
    }
  }

  private String page(SparkCluster cluster) {
    return get(cluster, "/numa/");
  }

  /** NaN as long as there is none. */
  private double gauge(SparkCluster cluster, String name) {
    Map<String, Double> values = new TreeMap<>();
    get(cluster, "/metrics/prometheus/")
        .lines()
        .filter(line -> line.startsWith(PREFIX))
        .map(line -> line.substring(PREFIX.length()).split(" "))
        .forEach(words -> values.put(words[0], Double.valueOf(words[1])));
    return values.getOrDefault(name + "_Value{type=\"gauges\"}", Double.NaN);
  }

  private String get(SparkCluster cluster, String path) {
    URI address = URI.create(cluster.session().sparkContext().uiWebUrl().get() + path);
    try {
      return http.send(
              HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new AssertionError(address.toString(), e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
