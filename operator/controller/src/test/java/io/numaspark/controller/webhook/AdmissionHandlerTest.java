package io.numaspark.controller.webhook;

import static io.numaspark.controller.webhook.Offers.profile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.numaspark.controller.metrics.WebhookMetrics;
import io.numaspark.controller.webhook.AdmissionHandler.Outcome;
import io.numaspark.render.inject.PinningOffer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionHandlerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String POD =
      """
      {apiVersion: v1, kind: Pod, metadata: {name: etl-exec-1, labels: {spark-role: executor%s}},
       spec: {containers: [{name: spark-kubernetes-executor,
         resources: {requests: {cpu: '%s', memory: 2Gi}, limits: {memory: 2Gi}}}]}}
      """;
  private static final String APPLICATION =
      """
      {apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication,
       metadata: {name: etl%s}, spec: {type: Scala, sparkVersion: 4.1.0, executor: {instances: %s, cores: 6, memory: 4g}}}
      """;

  private final Map<String, PinningOffer> offers =
      new Offers().of(profile("dual-socket", "{matchLabels: {pool: spark}}"));
  private final List<Outcome> outcomes = new ArrayList<>();
  private final AdmissionHandler handler =
      new AdmissionHandler(
          namespace ->
              Optional.ofNullable(
                  Map.of("jobs", "dual-socket", "own", "", "odd", "false").get(namespace)),
          namespace ->
              Optional.ofNullable(
                  Map.of(
                          "jobs", Map.of("defaults.numaspark.io/image", "spark:4.3.0"),
                          "bad", Map.of("defaults.numaspark.io/image", "\u0000 \u0085"),
                          "own", Map.<String, String>of())
                      .get(namespace)),
          name -> offers.getOrDefault(name, new PinningOffer.None("no profile " + name)),
          (kind, outcome, nanoseconds) -> outcomes.add(outcome));

  private JsonNode answer(String namespace, String operation, String object, String old) {
    try {
      JsonNode tree = YAML.readTree(object);
      ObjectNode review = JSON.createObjectNode();
      review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
      ObjectNode request = review.putObject("request");
      String apiVersion = tree.path("apiVersion").asText();
      request.put("uid", "u-7").put("namespace", namespace).put("operation", operation);
      request
          .putObject("kind")
          .put("group", apiVersion.contains("/") ? apiVersion.replaceFirst("/.*", "") : "")
          .put("kind", tree.path("kind").asText());
      request.set("object", tree);
      if (!old.isEmpty()) {
        request.set("oldObject", YAML.readTree(old));
      }
      JsonNode answer = JSON.readTree(handler.apply(JSON.writeValueAsBytes(review)));
      assertThat(answer.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
      assertThat(answer.path("response").path("uid").asText()).isEqualTo("u-7");
      assertThat(answer.path("response").path("allowed").asBoolean()).isTrue();
      return answer.path("response");
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String patch(JsonNode response) {
    try {
      return new String(response.path("patch").binaryValue(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void anExecutorGetsItsSlotByOperationsOnIt() throws JsonProcessingException {
    JsonNode response = answer("jobs", "CREATE", POD.formatted("", "6"), "");
    assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
    assertThat(patch(response))
        .contains("{\"op\":\"add\",\"path\":\"/spec/nodeSelector\",\"value\":{\"pool\":\"spark\"}}")
        .contains("slots.numaspark.io/dual-socket");
    assertThat(response.has("warnings")).isFalse();
    assertThat(outcomes).containsExactly(Outcome.PINNED);
  }

  @Test
  void oneThatStaysSaysWhyOnItselfAndToItsAuthor() {
    JsonNode response = answer("jobs", "CREATE", POD.formatted("", "6500m"), "");
    assertThat(patch(response))
        .startsWith("[{\"op\":\"add\",\"path\":\"/metadata/annotations\"")
        .doesNotContain("/spec");
    assertThat(response.path("warnings").get(0).asText())
        .startsWith(
            "numaspark: executors are not pinned: spark.kubernetes.executor.request.cores: is 6.5")
        .hasSizeLessThanOrEqualTo(250);
    assertThat(outcomes).containsExactly(Outcome.LEFT);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "other, CREATE, ''",
    "own, CREATE, ''",
    "odd, CREATE, ''",
    "jobs, UPDATE, ''",
    "jobs, DELETE, ''",
    "jobs, CREATE, ', numaspark.io/inject: \"false\"'",
    "jobs, CREATE, ', numaspark.io/application: pi'",
    "jobs, CREATE, ', spark-role: driver'"
  })
  void whatItIsNotForStaysWithoutAWord(String namespace, String operation, String labels) {
    String pod =
        POD.formatted(labels, "6").replace("spark-role: executor, spark-role", "spark-role");
    JsonNode response = answer(namespace, operation, pod, operation.equals("UPDATE") ? pod : "");
    assertThat(response.has("patch")).isFalse();
    assertThat(response.has("warnings")).isFalse();
    assertThat(outcomes).containsExactly(Outcome.UNCHANGED);
  }

  @Test
  void theLabelOfAnObjectGoesBeforeThatOfItsNamespace() {
    String label = ", numaspark.io/inject: ";
    assertThat(patch(answer("own", "CREATE", POD.formatted(label + "dual-socket", "6"), "")))
        .contains("slots.numaspark.io/dual-socket");
    assertThat(patch(answer("jobs", "CREATE", POD.formatted(label + "gone", "6"), "")))
        .contains("no profile gone");
  }

  @Test
  void applicationsAreSplitAtCreationAndFollowedLater() {
    String sent = APPLICATION.formatted("", "2");
    assertThat(patch(answer("jobs", "CREATE", sent, ""))).contains("/spec/executor/coreRequest");
    String labelled = APPLICATION.formatted(", labels: {x: y}", "2");
    assertThat(answer("jobs", "UPDATE", labelled, sent).has("patch")).isFalse();
    assertThat(answer("jobs", "UPDATE", APPLICATION.formatted("", "4"), sent).has("patch"))
        .isTrue();
    assertThat(outcomes).containsExactly(Outcome.PINNED, Outcome.UNCHANGED, Outcome.PINNED);
  }

  @Test
  void otherKindsAndOtherVersionsStay() {
    String scheduled =
        APPLICATION.formatted("", "2").replace("kind: Spark", "kind: ScheduledSpark");
    assertThat(answer("jobs", "CREATE", scheduled, "").has("patch")).isFalse();
    String future = APPLICATION.formatted("", "2").replace("v1beta2", "v1");
    assertThat(patch(answer("jobs", "CREATE", future, "")))
        .contains("SparkApplication of sparkoperator.k8s.io/v1 cannot be injected");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "spark-drv-0-conf-map, true",
    "jobs-spark-drv-0-conf-map, true",
    "spark-exec-0-conf-map, false",
    "spark-drv-0-conf-map-2, false"
  })
  void propertiesOfDriversAreSplit(String name, boolean split) {
    String map =
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: %s},
         data: {spark.properties: "spark.executor.instances=2\\nspark.executor.cores=12\\nspark.executor.memory=10g\\n"}}
        """
            .formatted(name);
    assertThat(answer("jobs", "CREATE", map, "").has("patch")).isEqualTo(split);
    assertThat(answer("jobs", "UPDATE", map, map).has("patch")).isFalse();
  }

  private static final String OURS =
      """
      {apiVersion: numaspark.io/v1alpha1, kind: SparkApplication, metadata: {name: pi%s},
       spec: {type: Scala, executor: {instances: 2.50}}}
      """;

  @Test
  void ourApplicationsGetTheDefaultsOfTheirNamespaceAndAreNotSplit()
      throws JsonProcessingException {
    JsonNode response = answer("jobs", "CREATE", OURS.formatted(""), "");
    assertThat(JSON.readTree(patch(response)))
        .isEqualTo(
            YAML.readTree(
                """
                - {op: add, path: /metadata/annotations, value: {numaspark.io/defaults-applied: image from namespace jobs}}
                - {op: add, path: /spec/image, value: 'spark:4.3.0'}
                """));
    assertThat(response.has("warnings")).isFalse();
    assertThat(outcomes).containsExactly(Outcome.FILLED);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "other, CREATE, ''",
    "own, CREATE, ''",
    "jobs, UPDATE, ''",
    "jobs, DELETE, ''",
    "jobs, CREATE, ', labels: {numaspark.io/defaults: \"false\"}'"
  })
  void ourOtherApplicationsStay(String namespace, String operation, String metadata) {
    String sent = OURS.formatted(metadata);
    JsonNode response = answer(namespace, operation, sent, operation.equals("UPDATE") ? sent : "");
    assertThat(response.has("patch")).isFalse();
    assertThat(response.has("warnings")).isFalse();
    assertThat(outcomes).containsExactly(Outcome.UNCHANGED);
  }

  @Test
  void aBadDefaultIsAWarningInOneLine() {
    JsonNode response = answer("bad", "CREATE", OURS.formatted(""), "");
    assertThat(response.has("patch")).isFalse();
    assertThat(response.path("warnings").get(0).asText())
        .startsWith("numaspark: namespace bad, annotation defaults.numaspark.io/image: is '? ?'");
    assertThat(outcomes).containsExactly(Outcome.UNCHANGED);
  }

  @Test
  void aDefectLeavesTheObjectAsItIs() {
    AdmissionHandler broken =
        new AdmissionHandler(
            namespace -> Optional.of("dual-socket"),
            namespace -> Optional.empty(),
            name -> {
              throw new IllegalStateException("a defect");
            },
            (kind, outcome, nanoseconds) -> outcomes.add(outcome));
    byte[] review =
        """
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": "u-1",
         "operation": "CREATE", "kind": {"group": "", "kind": "Pod"}, "namespace": "jobs",
         "object": {"metadata": {"labels": {"spark-role": "executor"}}}}}
        """
            .getBytes(StandardCharsets.UTF_8);
    assertThat(new String(broken.apply(review), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
                + "\"response\":{\"uid\":\"u-1\",\"allowed\":true}}");
    assertThat(outcomes).containsExactly(Outcome.ERROR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{\"apiVersion\": \"admission.k8s.io/v1beta1\", \"kind\": \"AdmissionReview\"}",
        "{\"apiVersion\": \"admission.k8s.io/v1\", \"kind\": \"AdmissionReview\"}",
        "{\"apiVersion\": \"admission.k8s.io/v1\", \"kind\": \"AdmissionReview\", \"request\": {\"uid\": \"u\", \"object\": []}}"
      })
  void whatIsNoQuestionIsSaidInOneSentence(String body) {
    assertThatThrownBy(() -> handler.apply(body.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the ");
  }

  @Test
  void nestingWithoutEndIsRefused() {
    byte[] deep = "[".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> handler.apply(deep)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void metricsHaveAllSeriesFromTheStart() {
    PrometheusRegistry registry = new PrometheusRegistry();
    new WebhookMetrics(registry, () -> Optional.of(Instant.ofEpochSecond(7)))
        .answered("Pod", Outcome.PINNED, 2_000_000);
    assertThat(registry.scrape().stream().map(one -> one.getMetadata().getName()))
        .contains(
            "numaspark_webhook_requests",
            "numaspark_webhook_duration_seconds",
            "numaspark_webhook_certificate_expiry_timestamp_seconds");
  }
}
