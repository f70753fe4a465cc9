package io.numaspark.render.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.render.defaults.Defaulting.Filled;
import io.numaspark.render.defaults.Defaulting.Unchanged;
import io.numaspark.schema.CustomResourceSchema;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultsReviewTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String NOTE = "numaspark.io/defaults-applied";
  private static final String ALL =
      """
      {defaults.numaspark.io/image: "example.com/spark:4.3.0", defaults.numaspark.io/spark-version: 4.3.0,
       defaults.numaspark.io/image-pull-secrets: "regcred, other, regcred", defaults.numaspark.io/service-account: spark-jobs,
       defaults.numaspark.io/node-profile: dual-socket, defaults.numaspark.io/event-log-dir: "s3a://logs/spark",
       defaults.numaspark.io/time-to-live-seconds: "3600"}
      """;
  private static final String LEAST = "{type: Python, mainApplicationFile: 'local:///pi.py'}";

  private static Defaulting review(String annotations, ObjectNode application) {
    return new DefaultsReview(
            NamespaceDefaults.of(
                "jobs",
                JSON.convertValue(
                    tree(annotations),
                    JSON.getTypeFactory().constructMapType(Map.class, String.class, String.class))))
        .created(application);
  }

  private static ObjectNode tree(String yaml) {
    try {
      return (ObjectNode) YAML.readTree(yaml);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static ObjectNode application(String metadata, String spec) {
    return tree(
        "{apiVersion: numaspark.io/v1alpha1, kind: SparkApplication, metadata: {name: pi%s}, spec: %s}"
            .formatted(metadata, spec));
  }

  private static ObjectNode filled(String annotations, ObjectNode application) {
    Defaulting result = review(annotations, application);
    assertThat(result).isInstanceOf(Filled.class);
    return ((Filled) result).object();
  }

  private static String note(JsonNode object) {
    return object.path("metadata").path("annotations").path(NOTE).asText();
  }

  @Test
  void allThatIsAbsentIsFilledAndNamed() {
    ObjectNode object = filled(ALL, application("", LEAST));
    assertThat(object.path("spec").toString())
        .isEqualTo(
            tree("""
                    {type: Python, mainApplicationFile: 'local:///pi.py', image: 'example.com/spark:4.3.0', sparkVersion: 4.3.0,
                     imagePullSecrets: [regcred, other], driver: {serviceAccount: spark-jobs}, nodeProfile: dual-socket,
                     sparkConf: %s, timeToLiveSeconds: 3600}
                    """
                    .formatted(object.path("spec").path("sparkConf")))
                .toString());
    assertThat(object.path("spec").path("sparkConf"))
        .isEqualTo(
            tree("{spark.eventLog.enabled: 'true', spark.eventLog.dir: 's3a://logs/spark'}"));
    assertThat(note(object))
        .isEqualTo(
            "image, sparkVersion, imagePullSecrets, driver.serviceAccount, nodeProfile, spark.eventLog.dir, timeToLiveSeconds"
                + " from namespace jobs");
  }

  @Test
  void theAPIServerTakesTheLongestValues() {
    String secrets =
        IntStream.range(0, 16).mapToObj(i -> i + "s".repeat(200)).collect(Collectors.joining(","));
    ObjectNode object =
        filled(
            """
            {defaults.numaspark.io/image: %s, defaults.numaspark.io/spark-version: 4.3.0-%s,
             defaults.numaspark.io/image-pull-secrets: '%s', defaults.numaspark.io/service-account: %s,
             defaults.numaspark.io/node-profile: %s, defaults.numaspark.io/event-log-dir: '/%s',
             defaults.numaspark.io/time-to-live-seconds: '999999999'}
            """
                .formatted(
                    "i".repeat(1024),
                    "v".repeat(26),
                    secrets,
                    "a".repeat(253),
                    "p".repeat(63),
                    "d".repeat(1023)),
            application("", LEAST));
    assertThat(note(object).split(", ")).hasSize(7);
    assertThat(CustomResourceSchema.of(SparkApplication.class).check(object)).isEmpty();
    assertThat(CustomResourceSchema.of(SparkApplication.class).check(application("", LEAST)))
        .as("without an image")
        .isNotEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "image | image: own",
        "image | sparkConf: {spark.kubernetes.container.image: own}",
        "image | driver: {image: a}, executor: {image: b}",
        "spark-version | image: own",
        "spark-version | sparkVersion: 3.5.1",
        "image-pull-secrets | imagePullSecrets: []",
        "image-pull-secrets | sparkConf: {spark.kubernetes.container.image.pullSecrets: own}",
        "service-account | driver: {serviceAccount: own}",
        "service-account | driver: {template: {spec: {serviceAccountName: own}}}",
        "service-account | sparkConf: {spark.kubernetes.authenticate.driver.serviceAccountName: own}",
        "node-profile | nodeProfile: own",
        "event-log-dir | sparkConf: {spark.eventLog.enabled: 'false'}",
        "event-log-dir | sparkConf: {spark.eventLog.dir: own}",
        "time-to-live-seconds | timeToLiveSeconds: 0"
      })
  void whatAnApplicationSaysStays(String key, String given) {
    ObjectNode all = tree(ALL);
    String one =
        "{defaults.numaspark.io/%s: '%s'}"
            .formatted(key, all.path("defaults.numaspark.io/" + key).asText());
    ObjectNode sent = application("", "{type: Scala, " + given + "}");
    assertThat(review(one, sent)).isEqualTo(new Unchanged(List.of()));
  }

  @Test
  void anImageOfOneSideLeavesTheOther() {
    ObjectNode object =
        filled(
            "{defaults.numaspark.io/image: spark}",
            application("", "{driver: {image: own}, executor: {}}"));
    assertThat(object.at("/spec/image").asText()).isEqualTo("spark");
    assertThat(object.at("/spec/driver/image").asText()).isEqualTo("own");
  }

  @Test
  void otherPropertiesStayBesideTheEventLog() {
    ObjectNode object =
        filled(
            "{defaults.numaspark.io/event-log-dir: /logs}",
            application("", "{sparkConf: {spark.app.name: a/b~c}}"));
    assertThat(object.at("/spec/sparkConf").size()).isEqualTo(3);
    assertThat(object.at("/spec/sparkConf/spark.app.name").asText()).isEqualTo("a/b~c");
  }

  @Test
  void aSecondCallChangesNothing() {
    ObjectNode once = filled(ALL, application("", LEAST));
    assertThat(review(ALL, once)).isEqualTo(new Unchanged(List.of()));
  }

  @Test
  void whatASecondCallFillsIsNamedBesideTheFirst() {
    ObjectNode once = filled(ALL, application("", LEAST));
    ((ObjectNode) once.path("spec")).remove("timeToLiveSeconds");
    ((ObjectNode) once.path("spec")).put("image", "of-another-webhook");
    assertThat(note(filled(ALL, once)))
        .startsWith("sparkVersion, imagePullSecrets,")
        .endsWith("timeToLiveSeconds from namespace jobs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "image from namespace elsewhere",
        "image from namespace jobs",
        "' from namespace jobs'",
        "anything"
      })
  void aNoteThatDoesNotHoldGoes(String note) {
    ObjectNode sent =
        application(", annotations: {%s: '%s', own: a}".formatted(NOTE, note), "{image: own}");
    ObjectNode object = filled("{defaults.numaspark.io/image: spark}", sent);
    assertThat(object.path("metadata").path("annotations")).isEqualTo(tree("{own: a}"));
    assertThat(object.path("spec")).isEqualTo(sent.path("spec"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "SparkConnect, true, false",
    "SparkTrial, true, false",
    "ScheduledSparkApplication, true, true",
    "SparkConnect, false, true"
  })
  void applicationsOfAServerAndOfATrialStay(String kind, boolean controller, boolean filled) {
    ObjectNode sent =
        application(
            ", ownerReferences: [{apiVersion: numaspark.io/v1alpha1, kind: %s, name: a, controller: %s}]"
                .formatted(kind, controller),
            LEAST);
    assertThat(review("{defaults.numaspark.io/image: a b}", sent).warnings())
        .hasSize(filled ? 1 : 0);
    assertThat(review(ALL, sent) instanceof Filled).isEqualTo(filled);
  }

  @Test
  void applicationsOfOtherOwnersAreFilled() {
    ObjectNode sent =
        application(
            ", ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: Workflow, name: a, controller: true}]",
            LEAST);
    assertThat(review(ALL, sent)).isInstanceOf(Filled.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]",
        "text",
        "{driver: 5, sparkConf: [a], image: {}, sparkVersion: 1, imagePullSecrets: a, nodeProfile: [], timeToLiveSeconds: a}",
        "{driver: [{serviceAccount: a}], sparkConf: text, image: 1, imagePullSecrets: 7, nodeProfile: 1, timeToLiveSeconds: {}}"
      })
  void whatHasAnotherTypeIsLeftToTheSchema(String spec) {
    assertThat(review(ALL, application("", spec))).isEqualTo(new Unchanged(List.of()));
  }

  @Test
  void withoutRoomForTheNoteNothingIsFilled() {
    ObjectNode sent =
        application(", annotations: {large: '%s'}".formatted("x".repeat((256 << 10) - 20)), LEAST);
    Defaulting result = review(ALL, sent);
    assertThat(result).isInstanceOf(Unchanged.class);
    assertThat(result.warnings())
        .singleElement()
        .asString()
        .startsWith("metadata.annotations: have no room");
  }

  @Test
  void warningsComeWithWhatIsFilled() {
    Defaulting result =
        review(
            "{defaults.numaspark.io/image: spark, defaults.numaspark.io/time-to-live-seconds: a}",
            application("", LEAST));
    assertThat(note(((Filled) result).object())).isEqualTo("image from namespace jobs");
    assertThat(result.warnings()).hasSize(1);
  }
}
