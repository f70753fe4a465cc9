package io.numaspark.generators.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** The chart's values.schema.json. */
final class ChartSchema {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Objects that templates merge with their own. */
  private static final Set<String> MERGED =
      Set.of(
          "commonLabels",
          "commonAnnotations",
          "podLabels",
          "podAnnotations",
          "podSecurityContext",
          "securityContext");

  private static final int LINE = 132;

  private final ObjectNode root;

  private ChartSchema(ObjectNode root) {
    this.root = root;
  }

  static ChartSchema read(Path file) throws IOException {
    return new ChartSchema((ObjectNode) JSON.readTree(file.toFile()));
  }

  /** The schema of a value; a missing node if it has none. */
  JsonNode of(List<String> path) {
    JsonNode schema = root;
    for (String key : path) {
      schema = resolved(schema).path("properties").path(key);
    }
    return schema;
  }

  /** What a reference leads to. */
  JsonNode resolved(JsonNode schema) {
    return schema.has("$ref") ? root.at(schema.path("$ref").asText().substring(1)) : schema;
  }

  /**
   * Puts the comments of values where editors look for them; of a shared schema the first use
   * counts.
   */
  void describe(List<ChartValue> values) {
    removeDescriptions(root);
    for (ChartValue value : values) {
      if (of(value.path()) instanceof ObjectNode schema && !schema.has("description")) {
        ObjectNode rest = schema.deepCopy();
        schema.removeAll();
        schema.put("description", value.comment());
        schema.setAll(rest);
      }
    }
  }

  /**
   * Requires what templates cannot do without. A value that is set to null counts as missing, and
   * would be a nil pointer in a template; lists and objects that are only printed may be missing.
   */
  void require(List<ChartValue> values) {
    Map<ObjectNode, Set<String>> required = new IdentityHashMap<>();
    for (ChartValue value : values) {
      int last = value.path().size() - 1;
      String type = resolved(of(value.path())).path("type").asText();
      boolean printed = !value.group() && Set.of("array", "object").contains(type);
      if (!printed || MERGED.contains(value.path().get(last))) {
        ObjectNode parent = (ObjectNode) resolved(of(value.path().subList(0, last)));
        required.computeIfAbsent(parent, key -> new LinkedHashSet<>()).add(value.path().get(last));
      }
    }
    required.forEach(
        (schema, keys) -> {
          ArrayNode list = schema.putArray("required");
          keys.forEach(list::add);
        });
  }

  private static void removeDescriptions(JsonNode node) {
    if (node instanceof ObjectNode object && object.path("description").isTextual()) {
      object.remove("description");
    }
    node.forEach(ChartSchema::removeDescriptions);
  }

  /** Pointers to schemas of objects that take keys which nobody has described. */
  List<String> open() {
    List<String> open = new ArrayList<>();
    collectOpen(root, "", open);
    return open;
  }

  private static void collectOpen(JsonNode node, String pointer, List<String> open) {
    boolean schema = node.path("type").asText().equals("object");
    if (schema && !node.path("additionalProperties").isBoolean()) {
      open.add(pointer);
    }
    node.properties()
        .forEach(field -> collectOpen(field.getValue(), pointer + "/" + field.getKey(), open));
    for (int i = 0; i < (node.isArray() ? node.size() : 0); i++) {
      collectOpen(node.get(i), pointer + "/" + i, open);
    }
  }

  /** Type and bounds of a value, for people. */
  String type(List<String> path) {
    JsonNode schema = resolved(of(path));
    if (schema.has("enum")) {
      StringJoiner words = new StringJoiner(", ");
      schema.get("enum").forEach(word -> words.add("`" + word.asText() + "`"));
      return words.toString();
    }
    if (schema.has("anyOf")) {
      return "integer or percentage";
    }
    String type = schema.path("type").asText();
    if (schema.has("minimum") && schema.has("maximum")) {
      return type + ", " + schema.get("minimum") + " to " + schema.get("maximum");
    }
    return type.equals("array") ? "list" : type;
  }

  /** The whole schema, with whatever fits into a line on one line. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    print(root, 0, 0, out);
    return out.append('\n').toString();
  }

  private static void print(JsonNode node, int indent, int before, StringBuilder out) {
    String flat = flat(node);
    if (indent > 0 && indent + before + flat.length() < LINE || !node.isContainerNode()) {
      out.append(flat);
      return;
    }
    String pad = " ".repeat(indent + 2);
    StringJoiner parts = new StringJoiner(",\n");
    if (node.isObject()) {
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        String key = JSON.valueToTree(field.getKey()) + ": ";
        StringBuilder part = new StringBuilder(pad).append(key);
        print(field.getValue(), indent + 2, key.length(), part);
        parts.add(part);
      }
    } else {
      for (JsonNode element : node) {
        StringBuilder part = new StringBuilder(pad);
        print(element, indent + 2, 0, part);
        parts.add(part);
      }
    }
    char[] brackets = node.isObject() ? new char[] {'{', '}'} : new char[] {'[', ']'};
    out.append(brackets[0]).append('\n').append(parts).append('\n');
    out.append(" ".repeat(indent)).append(brackets[1]);
  }

  private static String flat(JsonNode node) {
    StringJoiner parts = new StringJoiner(", ");
    if (node.isObject()) {
      node.properties()
          .forEach(
              field -> parts.add(JSON.valueToTree(field.getKey()) + ": " + flat(field.getValue())));
      return "{" + parts + "}";
    }
    if (node.isArray()) {
      node.forEach(element -> parts.add(flat(element)));
      return "[" + parts + "]";
    }
    return node.toString();
  }
}
