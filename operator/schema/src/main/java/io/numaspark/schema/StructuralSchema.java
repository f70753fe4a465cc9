package io.numaspark.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.path.NodePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a CRD's schema that a JSON schema can say, and what Kubernetes adds to it: defaults,
 * fields without a value, fields that do not exist.
 *
 * <p>Limit: knows the keywords that our CRDs have; others are refused when the schema is read.
 */
final class StructuralSchema {
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

  /** Fields of every object. */
  private static final Set<String> ROOT =
      new TreeSet<>(List.of("apiVersion", "kind", "metadata", "spec", "status"));

  /** Read elsewhere, or of no meaning for a value. */
  private static final Set<String> OTHERS =
      Set.of("description", "default", PRESERVE, "x-kubernetes-validations");

  /** Said by JSON schema in the same words. */
  private static final Set<String> ASSERTIONS =
      Set.of(
          "type",
          "required",
          "enum",
          "minimum",
          "maximum",
          "minLength",
          "maxLength",
          "pattern",
          "minItems",
          "maxItems",
          "maxProperties");

  /**
   * Patterns are RE2's, as the API server's are; a Java {@code $} also matches before a line's end.
   */
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDialect(
          Dialects.getDraft4(),
          registry ->
              registry.schemaRegistryConfig(
                  SchemaRegistryConfig.builder()
                      .regularExpressionFactory(
                          regex -> {
                            Pattern pattern = Pattern.compile(regex);
                            return text -> pattern.matcher(text).find();
                          })
                      .build()));

  private final JsonNode schema;
  private final Schema validator;

  StructuralSchema(JsonNode schema) {
    this.schema = schema;
    this.validator = REGISTRY.getSchema(assertions(schema));
  }

  /** The schema without what only Kubernetes understands. */
  private static ObjectNode assertions(JsonNode schema) {
    ObjectNode assertions = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
      String name = keyword.getKey();
      if (ASSERTIONS.contains(name)) {
        assertions.set(name, keyword.getValue());
      } else if (name.equals("properties")) {
        ObjectNode properties = assertions.putObject(name);
        keyword
            .getValue()
            .properties()
            .forEach(p -> properties.set(p.getKey(), assertions(p.getValue())));
      } else if (name.equals("items") || name.equals("additionalProperties")) {
        assertions.set(name, assertions(keyword.getValue()));
      } else if (name.equals(INT_OR_STRING)) {
        assertions.putArray("type").add("integer").add("string");
      } else if (!OTHERS.contains(name) && !(name.equals("anyOf") && schema.has(INT_OR_STRING))) {
        throw new IllegalStateException("a CRD has " + name + ", which nobody reads");
      }
    }
    return assertions;
  }

  /** Fields that the API server would take out of the object, or refuse if it is asked to. */
  List<Violation> unknownFields(JsonNode object) {
    List<Violation> unknown = new ArrayList<>();
    object
        .propertyStream()
        .filter(field -> !ROOT.contains(field.getKey()))
        .forEach(field -> unknown.add(unknown(field.getKey(), ROOT)));
    findUnknown("spec", below(schema, "spec"), object.path("spec"), unknown);
    return unknown;
  }

  private static Violation unknown(String field, Set<String> known) {
    return new Violation(field, "there is no such field; there are " + String.join(", ", known));
  }

  private static void findUnknown(
      String path, JsonNode schema, JsonNode value, List<Violation> unknown) {
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      findUnknown(path + "[" + i + "]", schema.path("items"), value.get(i), unknown);
    }
    if (!value.isObject() || schema.path(PRESERVE).asBoolean()) {
      return;
    }
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      JsonNode below = below(schema, field.getKey());
      if (below != null) {
        findUnknown(path + "." + field.getKey(), below, field.getValue(), unknown);
      } else if ("object".equals(schema.path("type").asText())) {
        Set<String> known = new TreeSet<>();
        schema.path("properties").fieldNames().forEachRemaining(known::add);
        unknown.add(unknown(path + "." + field.getKey(), known));
      }
    }
  }

  /** The schema of a field or of a map's value; null if there is no such field. */
  private static JsonNode below(JsonNode schema, String name) {
    JsonNode field = schema.path("properties").get(name);
    return field == null ? schema.get("additionalProperties") : field;
  }

  /** A copy as the API server stores it: with defaults, and without fields that have no value. */
  JsonNode withDefaults(JsonNode object) {
    JsonNode copy = object.deepCopy();
    fill(schema, copy);
    return copy;
  }

  private static void fill(JsonNode schema, JsonNode value) {
    if (value.isArray()) {
      value.forEach(item -> fill(schema.path("items"), item));
    }
    if (!(value instanceof ObjectNode object)) {
      return;
    }
    for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
      JsonNode fallback = field.getValue().get("default");
      if (fallback != null && !object.hasNonNull(field.getKey())) {
        object.set(field.getKey(), fallback.deepCopy());
      }
    }
    object.properties().removeIf(f -> f.getValue().isNull() && below(schema, f.getKey()) != null);
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      JsonNode below = below(schema, field.getKey());
      if (below != null) {
        fill(below, field.getValue());
      }
    }
  }

  /** What the schema refuses of an object with its defaults. */
  List<Violation> check(JsonNode object) {
    return violations("", schema, validator.validate(object));
  }

  /** A copy of the value of one field, with defaults. */
  JsonNode withDefaults(String field, JsonNode value) {
    JsonNode found = at(field);
    JsonNode copy = (value.isNull() ? found.path("default") : value).deepCopy();
    fill(found, copy);
    return copy;
  }

  /** What the schema refuses of one field. */
  List<Violation> check(String field, JsonNode value) {
    JsonNode found = at(field);
    return violations(field, found, REGISTRY.getSchema(assertions(found)).validate(value));
  }

  private JsonNode at(String field) {
    JsonNode found = schema;
    for (String name : field.split("\\.")) {
      found = found.path("properties").path(name);
    }
    if (found.isMissingNode()) {
      throw new IllegalArgumentException(field + ": there is no such field");
    }
    return found;
  }

  /** Of a text that is wrong in several ways the API server names the first, by its length. */
  private static List<Violation> violations(String root, JsonNode schema, List<Error> errors) {
    Map<String, Error> first = new LinkedHashMap<>();
    for (Error error : errors) {
      first.merge(
          path(root, error),
          error,
          (one, other) -> other.getKeyword().endsWith("Length") ? other : one);
    }
    List<Violation> violations = new ArrayList<>();
    first.forEach(
        (path, error) ->
            violations.add(
                new Violation(path, AdmissionText.of(path, error) + remedy(schema, error))));
    return violations;
  }

  /** What the API server leaves out: what a field with a pattern is, and how a type is written. */
  private static String remedy(JsonNode schema, Error error) {
    if (!error.getKeyword().equals("pattern")) {
      return AdmissionText.remedy(error);
    }
    JsonNode field = schema;
    NodePath location = error.getInstanceLocation();
    for (int i = 0; i < location.getNameCount(); i++) {
      field =
          location.getElement(i) instanceof Integer
              ? field.path("items")
              : below(field, location.getName(i));
    }
    String description = field.path("description").asText();
    return description.isEmpty() ? "" : "; " + description.replaceFirst("\\.( .*)?$", "");
  }

  private static String path(String root, Error error) {
    NodePath location = error.getInstanceLocation();
    StringBuilder path = new StringBuilder(root);
    for (int i = 0; i < location.getNameCount(); i++) {
      if (location.getElement(i) instanceof Integer index) {
        path.append('[').append(index).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(location.getName(i));
      }
    }
    if (error.getKeyword().equals("required")) {
      path.append(path.isEmpty() ? "" : ".").append(error.getProperty());
    }
    return path.toString();
  }
}
