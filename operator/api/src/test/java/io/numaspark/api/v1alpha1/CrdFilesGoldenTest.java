package io.numaspark.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds {@code crds/} and the chart's copy to what the records generate; {@code -Dgolden.update}
 * writes them.
 *
 * <p>Four things are put right on the way: the generator sorts printer columns by their path,
 * people want them in the order of the annotations; it leaves {@code spec} optional; it says of
 * fields without a schema of their own not even that they are objects; and it describes neither the
 * kind nor the fields of Kubernetes' types.
 */
class CrdFilesGoldenTest {
  /** Largest CRD that client-side {@code kubectl apply} can annotate. */
  private static final int ANNOTATION_LIMIT_BYTES = 256 * 1024;

  private static final String WITHOUT_SCHEMA = "x-kubernetes-preserve-unknown-fields";

  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final ObjectMapper YAML =
      new ObjectMapper(
          new YAMLFactory()
              .enable(Feature.MINIMIZE_QUOTES)
              .enable(Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
              .disable(Feature.SPLIT_LINES)
              .disable(Feature.WRITE_DOC_START_MARKER));

  @ParameterizedTest
  @CsvSource({
    "scheduledsparkapplications, ScheduledSparkApplication",
    "sparkapplications, SparkApplication",
    "sparknodeprofiles, SparkNodeProfile",
    "sparknodetopologies, SparkNodeTopology"
  })
  void committedCrdIsCurrent(String plural, String kind) throws Exception {
    Class<?> type = Class.forName(CrdFilesGoldenTest.class.getPackageName() + "." + kind);
    String expected =
        "# Generated from "
            + type.getName()
            + "; write it anew with `make generate`.\n"
            + render(plural, type.asSubclass(CustomResource.class));
    assertThat(expected.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(ANNOTATION_LIMIT_BYTES);
    for (String folder : new String[] {"crds", "charts/numaspark/crds"}) {
      Path file = REPOSITORY.resolve(folder).resolve(plural + ".numaspark.io.yaml");
      if (System.getProperty("golden.update") != null) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, expected);
      }
      assertThat(file)
          .as("run `make generate` and commit the result")
          .exists()
          .content()
          .isEqualTo(expected);
    }
  }

  private static String render(String plural, Class<?> type) throws IOException {
    String generated = "META-INF/fabric8/" + plural + ".numaspark.io-v1.yml";
    ObjectNode crd;
    try (var in = type.getClassLoader().getResourceAsStream(generated)) {
      crd = (ObjectNode) YAML.readTree(in);
    }
    ObjectNode version = (ObjectNode) crd.at("/spec/versions/0");
    version.set(
        "additionalPrinterColumns",
        inAnnotationOrder(version.withArray("additionalPrinterColumns"), type));
    ObjectNode schema = (ObjectNode) version.at("/schema/openAPIV3Schema");
    schema.putArray("required").add("spec");
    schema.put("description", type.getAnnotation(JsonClassDescription.class).value());
    assertThat(new FieldDescriptions().describe(schema))
        .as("describe with @JsonPropertyDescription what is ours")
        .isEmpty();
    crd.findParents(WITHOUT_SCHEMA)
        .forEach(field -> ((ObjectNode) field).putIfAbsent("type", TextNode.valueOf("object")));
    return YAML.writeValueAsString(crd);
  }

  private static ArrayNode inAnnotationOrder(ArrayNode columns, Class<?> type) {
    Map<String, ObjectNode> byName = new TreeMap<>();
    columns.forEach(column -> byName.put(column.get("name").asText(), (ObjectNode) column));
    ArrayNode ordered = YAML.createArrayNode();
    for (AdditionalPrinterColumn column :
        type.getAnnotationsByType(AdditionalPrinterColumn.class)) {
      ordered.add(byName.remove(column.name()));
    }
    assertThat(byName).as("printer columns that no annotation names").isEmpty();
    return ordered;
  }
}
