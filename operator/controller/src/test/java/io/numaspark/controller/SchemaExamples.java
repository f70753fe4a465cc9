package io.numaspark.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Objects with one field at, below or above each limit that a CRD states. */
final class SchemaExamples {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** For each pattern of the CRDs one of these fits. */
  private static final List<String> SAMPLES =
      List.of(
          "a",
          "1",
          "1g",
          "30Gi",
          "0.10",
          "none",
          "None",
          "container",
          "/a.jar",
          "4.0.1",
          "http://a",
          "s3a://a/");

  private final JsonNode root;
  private final ObjectNode base;
  private final List<Example> examples = new ArrayList<>();

  private SchemaExamples(JsonNode root, ObjectNode base) {
    this.root = root;
    this.base = base;
  }

  /** An object, and what was done to it. */
  record Example(String name, ObjectNode object) {}

  /** Examples for every field of a kind's spec. */
  static List<Example> of(Class<? extends CustomResource<?, ?>> kind, ObjectNode base)
      throws IOException {
    SchemaExamples made = new SchemaExamples(schema(kind), base);
    made.field(List.of("spec"), made.root.path("properties").path("spec"));
    return made.examples;
  }

  /** The messages of all CEL rules of a kind. */
  static Set<String> ruleMessages(Class<? extends CustomResource<?, ?>> kind) throws IOException {
    Set<String> messages = new TreeSet<>();
    schema(kind)
        .findValues("x-kubernetes-validations")
        .forEach(rules -> rules.forEach(rule -> messages.add(rule.path("message").asText())));
    return messages;
  }

  private static JsonNode schema(Class<? extends CustomResource<?, ?>> kind) throws IOException {
    return new YAMLMapper()
        .readTree(
            Path.of(System.getProperty("repository.root"), "crds")
                .resolve(CustomResource.getCRDName(kind) + ".yaml")
                .toFile())
        .at("/spec/versions/0/schema/openAPIV3Schema");
  }

  /** The path has the names of fields and the indices of items. */
  private void field(List<Object> path, JsonNode schema) {
    Stream.of("true", "x", "[]", "null").forEach(value -> with(path, tree(value)));
    switch (schema.path("type").asText()) {
      case "integer" -> with(path, tree("1.5"));
      case "string" -> Stream.of("7", "''").forEach(value -> with(path, tree(value)));
      default -> with(path, tree("{}"));
    }
    numbers(path, schema);
    texts(path, schema);
    schema.path("enum").forEach(value -> with(path, value));
    collections(path, schema);
    for (JsonNode name : schema.path("required")) {
      change("without", append(path, name.asText()), parent -> parent.remove(name.asText()));
    }
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      if (property.getKey().equals("template") && path.size() == 1) {
        continue; // Of a ScheduledSparkApplication: the spec of a SparkApplication.
      }
      field(append(path, property.getKey()), property.getValue());
    }
    if (schema.has("items")) {
      field(append(path, 0), schema.path("items"));
    }
    if (schema.has("additionalProperties")) {
      field(append(path, "key"), schema.path("additionalProperties"));
    }
  }

  private void numbers(List<Object> path, JsonNode schema) {
    for (String bound : List.of("minimum", "maximum")) {
      if (schema.has(bound)) {
        long value = (long) Double.parseDouble(schema.path(bound).asText());
        for (long near = value - 1; near <= value + 1; near++) {
          with(path, JSON.numberNode(near));
        }
      }
    }
  }

  private void texts(List<Object> path, JsonNode schema) {
    for (String bound : List.of("minLength", "maxLength")) {
      int length = schema.path(bound).asInt(-1);
      for (int near = Math.max(0, length - 1); length >= 0 && near <= length + 1; near++) {
        for (String character : List.of("9", "ü")) {
          String text = character.repeat(near);
          // Of a long text that does not fit its pattern the API server repeats all, we do not.
          if (near < 256 || Pattern.compile(schema.path("pattern").asText()).matcher(text).find()) {
            with(path, JSON.textNode(text));
          }
        }
      }
    }
    if (schema.has("pattern")) {
      String sample = sample(schema).asText();
      for (String text :
          List.of(sample, sample + "\n", " " + sample, sample + "!", "0", "-1", "1.2345")) {
        with(path, JSON.textNode(text));
      }
    }
  }

  private void collections(List<Object> path, JsonNode schema) {
    for (String bound : List.of("minItems", "maxItems", "maxProperties")) {
      int size = schema.path(bound).asInt(-1);
      for (int near = Math.max(0, size - 1); size >= 0 && near <= size + 1; near++) {
        if (bound.equals("maxProperties")) {
          ObjectNode map = JSON.objectNode();
          for (int i = 0; i < near; i++) {
            map.set("key" + i, sample(schema.path("additionalProperties")));
          }
          with(path, map);
        } else {
          ArrayNode list = JSON.arrayNode();
          for (int i = 0; i < near; i++) {
            list.add(sample(schema.path("items")));
          }
          with(path, list);
        }
      }
    }
  }

  private void with(List<Object> path, JsonNode value) {
    Object last = path.get(path.size() - 1);
    if (path.size() == 1) {
      ObjectNode object = base.deepCopy();
      object.set((String) last, value);
      examples.add(new Example(path + " = " + shown(value), object));
    } else if (last instanceof String name) {
      change("= " + shown(value), path, parent -> parent.set(name, value));
    } else {
      List<Object> list = path.subList(0, path.size() - 1);
      with(list, JSON.arrayNode().add(value));
    }
  }

  /** Changes the object that holds the field, which is made if it has to be. */
  private void change(String what, List<Object> path, Consumer<ObjectNode> change) {
    ObjectNode object = base.deepCopy();
    JsonNode schema = root;
    JsonNode node = object;
    for (Object part : path.subList(0, path.size() - 1)) {
      if (part instanceof String name) {
        JsonNode property = schema.path("properties").get(name);
        schema = property == null ? schema.path("additionalProperties") : property;
        if (!node.has(name)) {
          ((ObjectNode) node).set(name, sample(schema));
        }
        node = node.get(name);
      } else {
        schema = schema.path("items");
        if (node.isEmpty()) {
          ((ArrayNode) node).add(sample(schema));
        }
        node = node.get(0);
      }
    }
    change.accept((ObjectNode) node);
    examples.add(new Example(path + " " + what, object));
  }

  /** A value that the schema admits. */
  private static JsonNode sample(JsonNode schema) {
    if (schema.has("enum")) {
      return schema.path("enum").get(0);
    }
    return switch (schema.path("type").asText()) {
      case "object" -> {
        ObjectNode object = JSON.objectNode();
        for (JsonNode name : schema.path("required")) {
          object.set(name.asText(), sample(schema.path("properties").path(name.asText())));
        }
        yield object;
      }
      case "array" -> JSON.arrayNode();
      case "boolean" -> JSON.booleanNode(true);
      case "string" ->
          JSON.textNode(
              SAMPLES.stream()
                  .filter(
                      text -> Pattern.compile(schema.path("pattern").asText()).matcher(text).find())
                  .findFirst()
                  .orElseThrow(
                      () -> new AssertionError("no sample for " + schema.path("pattern"))));
      default -> JSON.numberNode((long) schema.path("minimum").asDouble(1));
    };
  }

  private static JsonNode tree(String json) {
    try {
      return new YAMLMapper().readTree(json);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() > 60 ? text.substring(0, 60) + "... (" + text.length() + ")" : text;
  }

  private static List<Object> append(List<Object> path, Object part) {
    List<Object> longer = new ArrayList<>(path);
    longer.add(part);
    return longer;
  }
}
