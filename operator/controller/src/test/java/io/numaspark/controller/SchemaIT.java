package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.SchemaExamples.Example;
import io.numaspark.schema.CustomResourceSchema;
import io.numaspark.schema.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the schemas as the module applies them to what the API server says: the same verdict on the
 * same fields in the same words.
 *
 * <p>Examples of bounds, patterns, types and required fields are made from the CRDs; those of CEL
 * rules are in {@code rule-examples.yaml}.
 */
@ExtendWith(ApiServer.class)
class SchemaIT {
  private static final YAMLMapper YAML = new YAMLMapper();

  /** Said because of another error. */
  private static final Pattern REPEATED =
      Pattern.compile(
          "some validation rules were not checked|Checked value must be of type|\\(anyOf\\)| evaluating rule: ");

  private static final Pattern OF_A_RULE = Pattern.compile("^Invalid value: (spec|metadata)[.:]");

  private static KubernetesClient client;

  @BeforeAll
  static void connect() {
    client = ApiServer.client();
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  static Stream<Class<? extends CustomResource<?, ?>>> kinds() {
    return Stream.of(
        SparkApplication.class,
        ScheduledSparkApplication.class,
        SparkConnect.class,
        SparkNodeProfile.class,
        SparkNodeTopology.class);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyLimitOfEveryFieldIsJudgedAsByTheApiServer(Class<? extends CustomResource<?, ?>> kind)
      throws IOException {
    List<Example> examples = SchemaExamples.of(kind, base(kind));
    assertThat(examples).hasSizeGreaterThan(50);
    List<String> differences = new ArrayList<>();
    int refused = 0;
    for (Example example : examples) {
      Map<String, Set<String>> theirs = apiServer(example.object());
      refused += theirs.isEmpty() ? 0 : 1;
      compare(kind, example.name(), example.object(), theirs, differences);
    }
    System.out.printf(
        "%s: %d examples, %d of them refused%n", kind.getSimpleName(), examples.size(), refused);
    assertThat(differences).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyRuleIsJudgedAsByTheApiServer(Class<? extends CustomResource<?, ?>> kind)
      throws IOException {
    List<String> differences = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (JsonNode rule : rules(kind)) {
      String message = rule.path("rule").asText();
      seen.add(message);
      for (JsonNode spec : rule.path("admits")) {
        assertThat(judge(kind, spec, differences)).as("%s: %s", message, spec).isEmpty();
      }
      for (JsonNode spec : rule.path("refuses")) {
        assertThat(judge(kind, spec, differences)).as("%s: %s", message, spec).contains(message);
      }
      assertThat(rule.path("admits")).as(message).isNotEmpty();
      assertThat(rule.path("refuses")).as(message).isNotEmpty();
    }
    assertThat(differences).isEmpty();
    assertThat(seen)
        .as("rules of %s with examples in rule-examples.yaml", kind.getSimpleName())
        .isEqualTo(SchemaExamples.ruleMessages(kind));
  }

  @Test
  void anUnknownFieldIsRefusedAsByKubectl() throws IOException {
    ObjectNode application = base(SparkApplication.class);
    ((ObjectNode) application.path("spec")).put("mainApplicationFiles", "f");
    assertThat(apiServer(application)).hasSize(1);
    assertThat(CustomResourceSchema.of(SparkApplication.class).check(application))
        .singleElement()
        .extracting(Violation::message)
        .asString()
        .startsWith(
            "spec.mainApplicationFiles: there is no such field; there are adaptiveExecutors, ");
  }

  private Set<String> judge(
      Class<? extends CustomResource<?, ?>> kind, JsonNode overlay, List<String> differences)
      throws IOException {
    ObjectNode object = base(kind);
    boolean scheduled = kind == ScheduledSparkApplication.class;
    ObjectNode spec = (ObjectNode) (scheduled ? object.at("/spec/template") : object.path("spec"));
    overlay
        .properties()
        .forEach(
            field -> {
              if (field.getKey().equals("metadata.name")) {
                ((ObjectNode) object.path("metadata")).set("name", field.getValue());
              } else if (field.getValue().isNull()) {
                spec.remove(field.getKey());
              } else {
                spec.set(field.getKey(), field.getValue());
              }
            });
    Map<String, Set<String>> theirs = apiServer(object);
    compare(kind, overlay.toString(), object, theirs, differences);
    Set<String> texts = new TreeSet<>();
    theirs.values().forEach(texts::addAll);
    return texts;
  }

  /**
   * The API server tries other limits of a value of a wrong type too, and rules of an object with
   * such values; one error for each field, and rules for the rest, is enough.
   */
  private static void compare(
      Class<? extends CustomResource<?, ?>> kind,
      String name,
      JsonNode object,
      Map<String, Set<String>> theirs,
      List<String> differences)
      throws IOException {
    Map<String, Set<String>> ours = new TreeMap<>();
    for (Violation violation : CustomResourceSchema.of(kind).check(object)) {
      ours.computeIfAbsent(violation.field(), field -> new TreeSet<>()).add(violation.message());
    }
    Map<String, Set<String>> expected = new TreeMap<>(theirs);
    expected.values().removeIf(SchemaExamples.ruleMessages(kind)::containsAll);
    if (expected.isEmpty()) {
      expected = theirs;
    }
    boolean same = ours.keySet().equals(expected.keySet());
    for (Map.Entry<String, Set<String>> field : ours.entrySet()) {
      // Behind the API server's words we may say what to write.
      same &=
          field.getValue().stream()
              .allMatch(
                  text ->
                      theirs.getOrDefault(field.getKey(), Set.of()).stream()
                          .anyMatch(words -> text.equals(words) || text.startsWith(words + "; ")));
    }
    if (!same) {
      differences.add("%n%s%n  API server: %s%n  offline:    %s".formatted(name, theirs, ours));
    }
  }

  /** What the API server says of each wrong field; of a rule its message. */
  private static Map<String, Set<String>> apiServer(JsonNode object) {
    Map<String, Set<String>> texts = new TreeMap<>();
    try {
      client
          .resource(YAML.convertValue(object, GenericKubernetesResource.class))
          .dryRun()
          .fieldValidation(Validation.STRICT)
          .create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != 422) {
        return Map.of("", Set.of(e.getMessage()));
      }
      for (StatusCause cause : e.getStatus().getDetails().getCauses()) {
        String field = cause.getField().replace("<nil>", "");
        String text = cause.getMessage();
        if (!REPEATED.matcher(text).find()) {
          texts
              .computeIfAbsent(field, name -> new TreeSet<>())
              .add(
                  OF_A_RULE.matcher(text).find()
                      ? text.substring("Invalid value: ".length())
                      : field + ": " + text);
        }
      }
    }
    return texts;
  }

  private static ObjectNode base(Class<?> kind) throws IOException {
    return (ObjectNode) examples().path("base").path(kind.getSimpleName()).deepCopy();
  }

  /** The rules of a scheduled application's template are those of the application. */
  private static List<JsonNode> rules(Class<?> kind) throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : examples().path("rules").properties()) {
      if (entry.getKey().equals(kind.getSimpleName())
          || (kind == ScheduledSparkApplication.class
              && entry.getKey().equals("SparkApplicationSpec"))
          || (kind == SparkApplication.class && entry.getKey().equals("SparkApplicationSpec"))) {
        entry.getValue().forEach(rules::add);
      }
    }
    return rules;
  }

  private static JsonNode examples() throws IOException {
    try (InputStream file = SchemaIT.class.getResourceAsStream("/rule-examples.yaml")) {
      return YAML.readTree(file);
    }
  }
}
