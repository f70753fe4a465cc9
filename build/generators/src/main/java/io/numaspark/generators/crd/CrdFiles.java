package io.numaspark.generators.crd;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.generators.GeneratedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The CRDs, with the chart's copies and a page of reference for each.
 *
 * <p>Five things are put right on the way: the generator sorts printer columns by their path,
 * people want them in the order of the annotations; it leaves {@code spec} optional; it says of
 * fields without a schema of their own not even that they are objects; it describes neither the
 * kind nor the fields of Kubernetes' types; and it does not know Kubernetes' conventions for
 * conditions.
 */
public final class CrdFiles {
  private static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          ScheduledSparkApplication.class,
          SparkApplication.class,
          SparkConnect.class,
          SparkNodeProfile.class,
          SparkNodeTopology.class,
          SparkTrial.class);

  private static final String WITHOUT_SCHEMA = "x-kubernetes-preserve-unknown-fields";

  private static final ObjectMapper YAML =
      new ObjectMapper(
          new YAMLFactory()
              .enable(Feature.MINIMIZE_QUOTES)
              .enable(Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
              .disable(Feature.SPLIT_LINES)
              .disable(Feature.WRITE_DOC_START_MARKER));

  private CrdFiles() {}

  /** Fails if a field of ours has no description. */
  public static List<GeneratedFile> all() throws IOException {
    List<GeneratedFile> files = new ArrayList<>();
    for (Class<? extends CustomResource<?, ?>> kind : KINDS) {
      String plural = HasMetadata.getPlural(kind);
      ObjectNode crd = crd(plural, kind);
      String text =
          "# Generated from %s; `make generate` writes it.\n%s"
              .formatted(kind.getName(), YAML.writeValueAsString(crd));
      for (String folder : List.of("crds", "charts/numaspark/crds")) {
        files.add(new GeneratedFile("%s/%s.numaspark.io.yaml".formatted(folder, plural), text));
      }
      files.add(CrdReference.of(crd));
    }
    return files;
  }

  private static ObjectNode crd(String plural, Class<?> type) throws IOException {
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
    Conditions.follow(schema, type == SparkApplication.class);
    List<String> undescribed = new FieldDescriptions().describe(schema);
    if (!undescribed.isEmpty()) {
      throw new IllegalStateException(
          "describe with @JsonPropertyDescription what is ours: " + undescribed);
    }
    crd.findParents(WITHOUT_SCHEMA)
        .forEach(field -> ((ObjectNode) field).putIfAbsent("type", TextNode.valueOf("object")));
    return crd;
  }

  private static ArrayNode inAnnotationOrder(ArrayNode columns, Class<?> type) {
    Map<String, ObjectNode> byName = new TreeMap<>();
    columns.forEach(column -> byName.put(column.get("name").asText(), (ObjectNode) column));
    ArrayNode ordered = YAML.createArrayNode();
    for (AdditionalPrinterColumn column :
        type.getAnnotationsByType(AdditionalPrinterColumn.class)) {
      ordered.add(byName.remove(column.name()));
    }
    if (!byName.isEmpty()) {
      throw new IllegalStateException("printer columns that no annotation names: " + byName);
    }
    return ordered;
  }
}
