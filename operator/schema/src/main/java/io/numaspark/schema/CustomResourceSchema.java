package io.numaspark.schema;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What the CRD of one kind admits, for objects that do not come from an API server of today: files,
 * and objects that were stored under an older CRD.
 *
 * <p>The steps and their texts are those of the API server: unknown fields, defaults, schema, CEL
 * rules. A step is only done if the one before it found nothing. Limit: of metadata only what rules
 * say is checked, status is not, and rules about changes are not evaluated; our CRDs have none.
 */
public final class CustomResourceSchema {
  private static final Map<String, CustomResourceSchema> BY_CRD = new ConcurrentHashMap<>();
  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  private final StructuralSchema structure;
  private final ValidationRules rules;

  private CustomResourceSchema(JsonNode crd) {
    ObjectNode schema = crd.at("/spec/versions/0/schema/openAPIV3Schema").deepCopy();
    ((ObjectNode) schema.path("properties")).retain("spec");
    structure = new StructuralSchema(schema);
    rules = new ValidationRules(schema);
  }

  /** The schema of a kind; it is read once. */
  public static CustomResourceSchema of(Class<? extends HasMetadata> kind) {
    return BY_CRD.computeIfAbsent(
        HasMetadata.getFullResourceName(kind),
        crd -> new CustomResourceSchema(read(crd + ".yaml")));
  }

  private static JsonNode read(String file) {
    try (InputStream yaml = CustomResourceSchema.class.getResourceAsStream(file)) {
      return new YAMLMapper().readTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What the API server would refuse of an object as it was written, which may have fields that its
   * kind does not have; empty if it would admit it.
   */
  public List<Violation> check(JsonNode object) {
    List<Violation> unknown = structure.unknownFields(object);
    return unknown.isEmpty() ? check(structure.withDefaults(object), rules::check) : unknown;
  }

  /**
   * A spec with its defaults, as the API server would store it; what rules say of metadata is left
   * out.
   *
   * @throws IllegalArgumentException with what the API server would say, if it would refuse it
   */
  public <T> T admitted(T spec, Class<T> type) {
    ObjectNode object = JSON.createObjectNode();
    object.set("spec", JSON.valueToTree(spec));
    JsonNode defaulted = structure.withDefaults(object);
    List<Violation> violations = check(defaulted, rules::checkSpec);
    if (!violations.isEmpty()) {
      throw new IllegalArgumentException(Violation.text(violations));
    }
    return JSON.convertValue(defaulted.path("spec"), type);
  }

  /**
   * The value of one field with its defaults, of which nothing is checked.
   *
   * @param field names from the root, for example {@code spec.restartPolicy}
   */
  public <T> T withDefaults(String field, T value, Class<T> type) {
    return JSON.convertValue(structure.withDefaults(field, JSON.valueToTree(value)), type);
  }

  private List<Violation> check(JsonNode defaulted, Function<JsonNode, List<Violation>> ruled) {
    List<Violation> violations = structure.check(defaulted);
    return violations.isEmpty() ? ruled.apply(defaulted) : violations;
  }

  /**
   * What the API server would refuse of the value of one field, whatever the others are; without
   * the name of the field in front.
   *
   * @param field names from the root, for example {@code spec.executor.cores}
   */
  public List<String> problems(String field, JsonNode value) {
    return structure.check(field, value).stream().map(Violation::problem).toList();
  }
}
