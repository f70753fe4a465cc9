package io.numaspark.render.monitoring;

import static io.numaspark.render.fixture.Renderings.executor;
import static io.numaspark.render.fixture.Renderings.ordinary;
import static io.numaspark.render.fixture.Renderings.other;
import static io.numaspark.render.fixture.Renderings.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.fixture.Resources;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsExposureTest {
  private static final String BOTH =
      "monitoring: {exposeDriverMetrics: true, exposeExecutorMetrics: true,"
          + " prometheus: {jmxExporterJar: /prometheus/jmx.jar}}";
  private static final String AGENT =
      "-javaagent:/prometheus/jmx.jar=8090:/etc/metrics/conf/prometheus.yaml";

  @Test
  void bothSidesAreExposed() {
    Manifests manifests = ordinary(BOTH, "driver: {javaOptions: -Da=b, annotations: {c: d}}");
    ConfigMap files = other(manifests, ConfigMap.class);
    assertThat(files.getMetadata().getName()).isEqualTo("pi-prom-conf");
    assertThat(files.getData()).containsOnlyKeys("metrics.properties", "prometheus.yaml");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.metrics.namespace", "default.pi")
        .containsEntry("spark.metrics.conf", "/etc/metrics/conf/metrics.properties")
        .containsEntry("spark.driver.extraJavaOptions", "-Da=b " + AGENT)
        .containsEntry("spark.executor.extraJavaOptions", AGENT);
    for (Pod pod : new Pod[] {manifests.driverPod(), executor(manifests)}) {
      Container spark = pod.getSpec().getContainers().get(0);
      assertThat(spark.getVolumeMounts())
          .filteredOn(mount -> mount.getMountPath().equals("/etc/metrics/conf"))
          .singleElement()
          .satisfies(
              mount ->
                  assertThat(pod.getSpec().getVolumes())
                      .anySatisfy(
                          volume -> {
                            assertThat(volume.getName()).isEqualTo(mount.getName());
                            assertThat(volume.getConfigMap().getName()).isEqualTo("pi-prom-conf");
                          }));
      assertThat(spark.getPorts())
          .anySatisfy(
              port -> {
                assertThat(port.getName()).isEqualTo("jmx-exporter");
                assertThat(port.getContainerPort()).isEqualTo(8090);
              });
      assertThat(pod.getMetadata().getAnnotations())
          .containsAllEntriesOf(
              Map.of(
                  "prometheus.io/scrape", "true",
                  "prometheus.io/port", "8090",
                  "prometheus.io/path", "/metrics"));
    }
    assertThat(manifests.driverPod().getMetadata().getAnnotations()).containsEntry("c", "d");
    assertThat(manifests.warnings()).isEmpty();
  }

  @Test
  void onlyTheSideThatIsExposedRunsTheExporter() {
    Manifests manifests =
        ordinary(
            "monitoring: {exposeExecutorMetrics: true,"
                + " prometheus: {jmxExporterJar: j, port: 9000, portName: metrics}}");
    assertThat(manifests.sparkConf())
        .doesNotContainKey("spark.driver.extraJavaOptions")
        .containsEntry(
            "spark.executor.extraJavaOptions",
            "-javaagent:j=9000:/etc/metrics/conf/prometheus.yaml");
    assertThat(manifests.driverPod().getSpec().getContainers().get(0).getPorts())
        .noneMatch(port -> port.getName().equals("metrics"));
    assertThat(executor(manifests).getSpec().getContainers().get(0).getPorts())
        .anyMatch(port -> port.getName().equals("metrics") && port.getContainerPort() == 9000);
  }

  @Test
  void filesOfTheImageNeedNoConfigMap() {
    Manifests manifests =
        ordinary(
            "monitoring: {exposeDriverMetrics: true, metricsPropertiesFile: /m.properties,"
                + " prometheus: {jmxExporterJar: j, configFile: /p.yaml}}");
    assertThat(manifests.others()).noneMatch(ConfigMap.class::isInstance);
    assertThat(manifests.sparkConf())
        .containsEntry("spark.metrics.conf", "/m.properties")
        .containsEntry("spark.driver.extraJavaOptions", "-javaagent:j=8090:/p.yaml");
    assertThat(manifests.driverPod().getSpec().getContainers().get(0).getVolumeMounts())
        .noneMatch(mount -> mount.getMountPath().startsWith("/etc/metrics"));
  }

  @Test
  void theUsersFilesAndPropertiesAreTaken() {
    Manifests manifests =
        ordinary(
            "monitoring: {exposeDriverMetrics: true, metricsProperties: 'a=b',"
                + " prometheus: {jmxExporterJar: j, configuration: 'rules: []'}}",
            "sparkConf: {spark.metrics.namespace: mine}");
    assertThat(other(manifests, ConfigMap.class).getData())
        .isEqualTo(Map.of("metrics.properties", "a=b", "prometheus.yaml", "rules: []"));
    assertThat(manifests.sparkConf()).containsEntry("spark.metrics.namespace", "mine");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '{}'                              | spec.monitoring.prometheus.jmxExporterJar: Required value
          '{jmxExporterJar: j, port: 80}'   | spec.monitoring.prometheus.port: Invalid value: 80
          '{jmxExporterJar: j, port: 7079}' | spec.monitoring.prometheus.port: 7079 is the driver's own; give another
          '{jmxExporterJar: j, port: 4040}' | spec.monitoring.prometheus.port: 4040 is the driver's own; give another
          """)
  void anExporterThatCannotRunIsRefused(String prometheus, String message) {
    assertThat(refusal("monitoring: {prometheus: " + prometheus + "}")).startsWith(message);
  }

  /** Names as Dropwizard's JmxReporter gives them, in the form that the exporter matches. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metrics<name=ns.my.app.driver.BlockManager.memory.memUsed_MB, type=gauges><>Value   | spark_driver_BlockManager.memory.memUsed_MB | ns my.app
          metrics<name=ns.app.driver.DAGScheduler.stage.failedStages, type=gauges><>Value     | spark_driver_DAGScheduler.stage.failedStages | ns app
          metrics<name=ns.app.driver.jvm.heap.used, type=gauges><>Value                       | spark_driver_jvm.heap.used | ns app
          metrics<name=ns.app.driver.LiveListenerBus.numEventsPosted, type=counters><>Count   | spark_driver_LiveListenerBus.numEventsPosted_count | ns app
          metrics<name=ns.app.driver.spark.streaming.q1.inputRate-total, type=gauges><>Value  | spark_structured_streaming_driver_inputRate-total | ns app
          metrics<name=ns.app.3.executor.threadpool.activeTasks, type=gauges><>Value          | spark_executor_threadpool.activeTasks | ns app 3
          metrics<name=ns.app.3.executor.bytesRead, type=counters><>Count                     | spark_executor_bytesRead_count | ns app 3
          metrics<name=ns.app.12.NettyBlockTransfer.shuffle-server.usedHeapMemory, type=gauges><>Value | spark_executor_NettyBlockTransfer.shuffle-server.usedHeapMemory | ns app 12
          metrics<name=ns.app.driver.jvm.heap.used><>Value                                    | spark_driver_jvm.heap.used | ns app
          java.lang<type=Memory><HeapMemoryUsage>used                                         | -  | -
          """)
  void theDefaultRulesKnowSparksMetrics(String bean, String name, String labels) {
    JsonNode rules =
        Resources.tree(other(ordinary(BOTH), ConfigMap.class).getData().get("prometheus.yaml"))
            .get("rules");
    for (JsonNode rule : rules) {
      Matcher match = Pattern.compile(rule.get("pattern").asText()).matcher(bean);
      if (match.find()) {
        assertThat(match.replaceAll(rule.get("name").asText())).isEqualTo(name);
        StringBuilder found = new StringBuilder();
        rule.get("labels")
            .properties()
            .forEach(
                label -> {
                  if (!label.getKey().equals("query_name")) {
                    found.append(' ').append(match.replaceAll(label.getValue().asText()));
                  }
                });
        assertThat(found.substring(1)).isEqualTo(labels);
        return;
      }
    }
    assertThat("-").as("a rule for " + bean).isEqualTo(name);
  }
}
