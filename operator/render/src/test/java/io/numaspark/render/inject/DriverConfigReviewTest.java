package io.numaspark.render.inject;

import static io.numaspark.render.inject.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.inject.Review.Left;
import io.numaspark.render.inject.Review.Pinned;
import io.numaspark.render.inject.Review.Unchanged;
import java.io.IOException;
import java.io.StringReader;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverConfigReviewTest {
  private static final String REASON = "/metadata/annotations/numaspark.io~1not-injected";

  private static final String SUBMITTED =
      """
      #Java properties built from Kubernetes config map with name: spark-drv-1-conf-map
      #Thu Nov 26 12:00:00 UTC 2026
      spark.app.name=etl
      spark.executor.cores=12
      spark.executor.instances=2
      spark.executor.memory=10g
      spark.kubernetes.resource.type=java
      spark.driver.extraJavaOptions=-Da\\=b -Dc\\:d
      """;

  private final DriverConfigReview review = new DriverConfigReview(Trees.offer());

  private static ObjectNode configMap(String properties) {
    ObjectNode map =
        tree(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: spark-drv-1-conf-map}, immutable: true}");
    map.putObject("data")
        .put("spark.properties", properties)
        .put("spark.kubernetes.namespace", "jobs");
    return map;
  }

  private static Properties properties(ObjectNode map) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(map.at("/data/spark.properties").asText()));
    return properties;
  }

  @Test
  void theDriverGetsSmallExecutorsAndMoreOfThem() throws IOException {
    Pinned pinned = (Pinned) review.created(configMap(SUBMITTED));
    Properties properties = properties(pinned.object());
    assertThat(properties)
        .containsEntry("spark.executor.instances", "4")
        .containsEntry("spark.executor.cores", "6")
        .containsEntry("spark.kubernetes.executor.limit.cores", "6")
        .containsEntry("spark.kubernetes.executor.node.selector.example.com/pool", "spark")
        .containsEntry("spark.driver.extraJavaOptions", "-Da=b -Dc:d")
        .containsEntry("spark.app.name", "etl");
    assertThat(pinned.warnings()).as("slots and tolerations come with the pods").isEmpty();
    assertThat(pinned.object().at("/data/spark.kubernetes.namespace").asText()).isEqualTo("jobs");
    assertThat(review.created(pinned.object())).as("the second call").isEqualTo(new Unchanged());
  }

  @Test
  void whatInjectWroteWithATemplateStays() {
    String record =
        "{\"profile\":\"p\",\"set\":{\"/spark.kubernetes.executor.podTemplateFile\":\"/pinned.yaml\"},\"was\":{}}";
    ObjectNode map =
        configMap(
            SUBMITTED
                + "spark.numaspark.injected="
                + record
                + "\nspark.kubernetes.executor.podTemplateFile=/opt/spark/pod-template/pod-spec-template.yml\n");
    assertThat(review.created(map)).isEqualTo(new Unchanged());
  }

  @Test
  void theExecutorsOfSuchADriverFitTheirSlots() throws IOException {
    Properties properties = properties(((Pinned) review.created(configMap(SUBMITTED))).object());
    long mebibytes =
        Long.parseLong(properties.getProperty("spark.executor.memory").replace("m", ""))
            + Long.parseLong(
                properties.getProperty("spark.executor.memoryOverhead").replace("m", ""));
    ObjectNode pod =
        tree(
            """
            {metadata: {}, spec: {containers: [{name: spark-kubernetes-executor,
              resources: {requests: {cpu: '%s', memory: %dMi}, limits: {cpu: '%s', memory: %dMi}}}]}}
            """
                .formatted(
                    properties.getProperty("spark.kubernetes.executor.request.cores"),
                    mebibytes,
                    properties.getProperty("spark.kubernetes.executor.limit.cores"),
                    mebibytes));
    ObjectNode slotted = ((Pinned) new ExecutorPodReview(Trees.offer()).created(pod)).object();
    assertThat(slotted.at("/spec/containers/0/resources/limits/slots.numaspark.io~1test").asText())
        .isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.kubernetes.driver.label.sparkoperator.k8s.io/app-name=etl",
        "spark.kubernetes.driver.label.spark.operator/name=etl"
      })
  void whatAnOperatorSubmitsStays(String label) {
    assertThat(review.created(configMap(SUBMITTED + label + "\n"))).isEqualTo(new Unchanged());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spark.executor.cores=many                                  | spark.executor.cores:
          spark.executor.pyspark.memory=1g                           | spark.executor.pyspark.memory:
          spark.kubernetes.allocation.pods.allocator=statefulset     | spark.kubernetes.allocation.pods.allocator:
          spark.executor.cores=\\\\u00                               | 'data["spark.properties"]: '
          spark.numaspark.injected=forged                            | spark.numaspark.injected:
          """)
  void whatCannotBeSplitStaysAndSaysWhy(String line, String reason) {
    ObjectNode sent = configMap(SUBMITTED + line.replace("\\\\", "\\") + "\n");
    Left left = (Left) review.created(sent);
    assertThat(left.object().at(REASON).asText()).startsWith(reason);
    assertThat(left.object().at("/data")).isEqualTo(sent.at("/data"));
  }

  @Test
  void aFullConfigMapStays() {
    ObjectNode sent = configMap(SUBMITTED);
    sent.withObject("/data").put("log4j2.properties", "x".repeat((1 << 20) - 400));
    Left left = (Left) review.created(sent);
    assertThat(left.reasons().get(0)).startsWith("data: has no room");
  }

  @Test
  void otherConfigMapsStay() {
    assertThat(review.created(tree("{metadata: {}, data: {a: b}}"))).isEqualTo(new Unchanged());
    assertThat(review.created(tree("{metadata: {}}"))).isEqualTo(new Unchanged());
  }
}
