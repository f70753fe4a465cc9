package io.numaspark.render.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.fixture.Resources;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Compares what is rendered with what {@code spark-submit} of Spark 4.3.0 created for the same
 * application, as recorded in {@code src/test/resources/submission}.
 *
 * <p>Differences that are meant are named here; any other one fails.
 */
class SubmissionContractTest {
  /** Properties of the submission that the driver does not need. */
  private static final Set<String> NOT_WRITTEN =
      Set.of(
          "spark.app.submitTime", // only shown; it would make equal applications differ
          "spark.kubernetes.submission.waitAppCompletion", // spark-submit's own waiting
          "spark.submit.pyFiles"); // empty

  /** Properties whose values are of the run, or are said in another way. */
  private static final Set<String> OF_THE_RUN =
      Set.of(
          "spark.app.id",
          "spark.driver.host",
          "spark.kubernetes.driver.pod.name",
          "spark.master"); // the driver replaces it because of spark.kubernetes.submitInDriver

  /** Properties that the submission leaves to their defaults. */
  private static final Set<String> ADDED =
      Set.of(
          "spark.driver.cores",
          "spark.driver.memory",
          "spark.executor.memory",
          "spark.kubernetes.authenticate.driver.serviceAccountName",
          "spark.kubernetes.executor.deleteOnTermination",
          "spark.kubernetes.executor.label.app.kubernetes.io/managed-by",
          "spark.kubernetes.executor.label.numaspark.io/application",
          "spark.kubernetes.executor.label.numaspark.io/attempt",
          "spark.kubernetes.executor.podNamePrefix",
          "spark.kubernetes.executor.podTemplateContainerName",
          "spark.kubernetes.executor.podTemplateFile",
          "spark.kubernetes.namespace");

  /** Spark Connect is a server of its own; an application does not listen there. */
  private static final String NOT_OPENED = "spark-connect";

  private final Manifests rendered = rendered();
  private final JsonNode pod = Resources.tree(Serialization.asYaml(rendered.driverPod()));
  private final JsonNode container = pod.at("/spec/containers/0");
  private final JsonNode recordedPod = recorded("pod.json");
  private final JsonNode recordedContainer = recordedPod.at("/spec/containers/0");

  @Test
  void containerHasTheSameNameAndArguments() {
    assertThat(container.get("name")).isEqualTo(recordedContainer.get("name"));
    assertThat(container.get("args")).isEqualTo(recordedContainer.get("args"));
    assertThat(container.has("command")).isEqualTo(recordedContainer.has("command")).isFalse();
  }

  @Test
  void environmentHasTheSameNames() {
    assertThat(texts(container.get("env"), "name"))
        .containsExactlyElementsOf(texts(recordedContainer.get("env"), "name"));
    assertThat(container.at("/env/2/valueFrom"))
        .as("SPARK_DRIVER_BIND_ADDRESS")
        .isEqualTo(recordedContainer.at("/env/2/valueFrom"));
    assertThat(container.at("/env/4/value"))
        .as("SPARK_CONF_DIR")
        .isEqualTo(recordedContainer.at("/env/4/value"));
  }

  @Test
  void portsAreTheSame() {
    List<JsonNode> wanted = new ArrayList<>();
    recordedContainer
        .get("ports")
        .forEach(
            port -> {
              if (!port.get("name").asText().equals(NOT_OPENED)) {
                wanted.add(port);
              }
            });
    assertThat(container.get("ports")).containsExactlyElementsOf(wanted);
  }

  @Test
  void memoryAndCpuAreTheSame() {
    assertThat(container.get("resources")).isEqualTo(recordedContainer.get("resources"));
  }

  @Test
  void podHasTheLabelsOfTheSubmission() {
    JsonNode labels = pod.at("/metadata/labels");
    recordedPod
        .at("/metadata/labels")
        .properties()
        .forEach(
            label -> {
              assertThat(labels.has(label.getKey())).as(label.getKey()).isTrue();
              if (!label.getKey().equals("spark-app-selector")) {
                assertThat(labels.get(label.getKey())).isEqualTo(label.getValue());
              }
            });
  }

  @Test
  void podIsNeverRestarted() {
    assertThat(pod.at("/spec/restartPolicy")).isEqualTo(recordedPod.at("/spec/restartPolicy"));
    assertThat(container.at("/securityContext/allowPrivilegeEscalation"))
        .isEqualTo(recordedContainer.at("/securityContext/allowPrivilegeEscalation"));
  }

  @Test
  void configurationAndLocalFolderAreMountedWhereTheEnvironmentSays() {
    assertThat(texts(container.get("volumeMounts"), "mountPath"))
        .contains("/opt/spark/conf", container.at("/env/3/value").asText());
  }

  @Test
  void serviceIsHeadlessWithTheSamePorts() {
    JsonNode service = Resources.tree(Serialization.asYaml(rendered.driverService()));
    JsonNode recorded = recorded("service.json");
    assertThat(service.at("/spec/clusterIP")).isEqualTo(recorded.at("/spec/clusterIP"));
    List<JsonNode> wanted = new ArrayList<>();
    recorded
        .at("/spec/ports")
        .forEach(
            port -> {
              if (!port.get("name").asText().equals(NOT_OPENED)) {
                wanted.add(port);
              }
            });
    assertThat(service.at("/spec/ports")).containsExactlyElementsOf(wanted);
    // The application's id and the role select the driver alone; its name and version add nothing.
    assertThat(names(service.at("/spec/selector")))
        .containsExactlyInAnyOrder("spark-app-selector", "spark-role");
    service
        .at("/spec/selector")
        .properties()
        .forEach(
            label ->
                assertThat(pod.at("/metadata/labels").get(label.getKey()))
                    .isEqualTo(label.getValue()));
  }

  @Test
  void everyPropertyOfTheSubmissionIsWritten() throws IOException {
    Properties submitted =
        properties(recorded("configmap.json").at("/data/spark.properties").asText());
    Properties written = properties(rendered.configuration().getData().get("spark.properties"));
    for (String key : new TreeSet<>(submitted.stringPropertyNames())) {
      if (NOT_WRITTEN.contains(key)) {
        assertThat(written.getProperty(key)).as(key).isNull();
      } else if (OF_THE_RUN.contains(key)) {
        assertThat(written.getProperty(key)).as(key).isNotBlank();
      } else {
        assertThat(written.getProperty(key)).as(key).isEqualTo(submitted.getProperty(key));
      }
    }
    Set<String> added = new TreeSet<>(written.stringPropertyNames());
    added.removeAll(submitted.stringPropertyNames());
    assertThat(added).containsExactlyInAnyOrderElementsOf(ADDED);
  }

  @Test
  void addressesOfTheRunAgree() {
    Map<String, String> conf = rendered.sparkConf();
    assertThat(conf.get("spark.driver.host"))
        .isEqualTo(rendered.driverService().getMetadata().getName() + ".default.svc");
    assertThat(conf.get("spark.kubernetes.driver.pod.name"))
        .isEqualTo(rendered.driverPod().getMetadata().getName());
    assertThat(conf.get("spark.app.id")).isEqualTo(container.at("/env/1/value").asText());
  }

  private static Manifests rendered() {
    SparkApplication application =
        Resources.application(
            """
            metadata: {name: pi, namespace: default, uid: u-1}
            spec:
              type: Scala
              sparkVersion: 4.3.0
              image: apache/spark:x
              mainClass: org.apache.spark.examples.SparkPi
              mainApplicationFile: local:///opt/spark/examples/jars/x.jar
              arguments: ["10"]
              executor: {instances: 4, cores: 8, coreLimit: "8"}
            """);
    return (Manifests) new ApplicationRenderer("spark").render(application, Optional.empty());
  }

  private static JsonNode recorded(String file) {
    try {
      return Resources.tree(Files.readString(Path.of("src/test/resources/submission", file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Properties properties(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    return properties;
  }

  private static List<String> texts(JsonNode items, String field) {
    List<String> texts = new ArrayList<>();
    items.forEach(item -> texts.add(item.get(field).asText()));
    return texts;
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
