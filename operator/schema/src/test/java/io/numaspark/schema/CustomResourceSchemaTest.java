package io.numaspark.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.numaspark.api.v1alpha1.RestartPolicy;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What needs no API server to compare with: SchemaIT compares everything else. */
class CustomResourceSchemaTest {
  private static final String APPLICATION =
      "metadata: {name: a}\nspec: {type: Java, image: i, mainClass: C, mainApplicationFile: f";

  private static final Class<SparkNodeProfileSpec> TYPE = SparkNodeProfileSpec.class;

  private final CustomResourceSchema applications = CustomResourceSchema.of(SparkApplication.class);

  static Stream<Class<? extends HasMetadata>> kinds() {
    return Stream.of(
        SparkApplication.class,
        ScheduledSparkApplication.class,
        SparkConnect.class,
        SparkNodeProfile.class,
        SparkNodeTopology.class);
  }

  /** A rule with more, for example messageExpression or oldSelf, would be read wrongly. */
  @ParameterizedTest
  @MethodSource("kinds")
  void everyRuleIsAnExpressionWithAMessageThatCanBeRead(Class<? extends HasMetadata> kind)
      throws IOException {
    JsonNode crd = crd(kind);
    List<JsonNode> rules = crd.findValues("x-kubernetes-validations");
    assertThat(rules).isNotEmpty();
    for (JsonNode list : rules) {
      for (JsonNode rule : list) {
        assertThat(rule.fieldNames()).toIterable().containsExactlyInAnyOrder("rule", "message");
        assertThat(rule.path("rule").asText()).doesNotContain("oldSelf");
        ValidationRules.Cel.compile(rule.path("rule").asText());
      }
    }
  }

  /** So that examples of applications are examples of templates too. */
  @Test
  void aTemplateIsTheSpecOfAnApplication() throws IOException {
    String spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
    ObjectNode application = (ObjectNode) crd(SparkApplication.class).at(spec);
    ObjectNode template =
        (ObjectNode) crd(ScheduledSparkApplication.class).at(spec + "/properties/template");
    application.remove("description");
    template.remove("description");
    assertThat(template).isEqualTo(application);
  }

  @Test
  void allErrorsAreNamedButNotMoreThanTen() throws IOException {
    assertThat(text(APPLICATION + ", executor: {cores: 0, memory: big}}"))
        .isEqualTo(
            "[spec.executor.cores: Invalid value: 0: spec.executor.cores in body should be greater than"
                + " or equal to 1, spec.executor.memory: Invalid value: \"big\": spec.executor.memory in"
                + " body should match '^[1-9][0-9]{0,16}([kKmMgGtT]([bB]|i)?)?$'; JVM heap of one"
                + " executor in Spark's notation (512m, 8g)]");
    assertThat(text(APPLICATION + ", arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}"))
        .contains("spec.arguments[9]: ")
        .doesNotContain("spec.arguments[10]: ")
        .endsWith(", ...]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"spec: {arguments: ~}", "spec: {labels: {a: ~}}", "spec: ~", "speck: {}", "{}"})
  void whateverIsWrittenIsAnswered(String yaml) throws IOException {
    assertThat(applications.check(tree(yaml))).isNotEmpty();
  }

  @Test
  void aFieldWithoutAValueIsAbsentAndGetsItsDefault() throws IOException {
    assertThat(
            text(
                APPLICATION
                    + ", driver: ~, sparkConf: {a: ~}, executor: {cores: ~, nodeSelector: {a: ~}}}"))
        .isEqualTo("[]");
  }

  /** A status has room for a sentence. */
  @Test
  void aLongValueIsCut() {
    ObjectNode application = tree(APPLICATION + "}");
    ((ObjectNode) application.get("spec"))
        .putObject("executor")
        .put("memory", "9".repeat(1_200_000));
    assertThat(Violation.text(applications.check(application))).hasSizeLessThan(1_000);
  }

  @Test
  void aSpecOfTheOperatorIsHeldToTheSame() {
    CustomResourceSchema profiles = CustomResourceSchema.of(SparkNodeProfile.class);
    SparkNodeProfileSpec stored = profiles.admitted(spec(new LabelSelector()), TYPE);
    assertThat(stored.executor().maxHeap()).isEqualTo("30Gi");
    assertThat(stored.topology()).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> profiles.admitted(spec(null), TYPE))
        .withMessage("spec.nodeSelector: Required value");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> profiles.admitted(null, TYPE))
        .withMessage("spec: Required value");
  }

  @Test
  void aPartOfASpecGetsItsDefaultsToo() {
    SparkNodeProfileSpec part =
        CustomResourceSchema.of(SparkNodeProfile.class).withDefaults("spec", spec(null), TYPE);
    assertThat(part.executor().maxHeap()).isEqualTo("30Gi");
    assertThat(part.nodeSelector()).isNull();
    assertThat(applications.withDefaults("spec.restartPolicy", null, RestartPolicy.class).type())
        .isEqualTo(RestartPolicy.Type.Never);
  }

  private static SparkNodeProfileSpec spec(LabelSelector nodes) {
    return new SparkNodeProfileSpec(
        nodes, null, null, null, null, null, null, null, null, null, null);
  }

  @Test
  void oneValueIsHeldToItsFieldAlone() {
    assertThat(applications.problems("spec.executor.cores", IntNode.valueOf(4))).isEmpty();
    assertThat(applications.problems("spec.executor.coreLimit", TextNode.valueOf("0")))
        .singleElement()
        .asString()
        .startsWith("Invalid value: \"0\": spec.executor.coreLimit in body should match '");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> applications.problems("spec.executor.core", IntNode.valueOf(4)));
  }

  @Test
  void aKeywordThatNobodyReadsIsNoticed() {
    JsonNode schema = tree("properties: {spec: {properties: {a: {type: string, format: date}}}}");
    assertThatIllegalStateException()
        .isThrownBy(() -> new StructuralSchema(schema))
        .withMessageContaining("format");
  }

  private String text(String yaml) {
    return Violation.text(applications.check(tree(yaml)));
  }

  private static ObjectNode tree(String yaml) {
    try {
      return (ObjectNode) new YAMLMapper().readTree(yaml);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static JsonNode crd(Class<? extends HasMetadata> kind) throws IOException {
    String file = HasMetadata.getFullResourceName(kind) + ".yaml";
    try (InputStream yaml = CustomResourceSchema.class.getResourceAsStream(file)) {
      return new YAMLMapper().readTree(yaml);
    }
  }
}
