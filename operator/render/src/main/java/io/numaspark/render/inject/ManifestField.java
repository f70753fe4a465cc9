package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Where in a manifest a setting is written, and as what. */
record ManifestField(List<String> path, Type type) {
  /** What the manifest's schema admits at a place. */
  enum Type {
    TEXT,
    NUMBER,
    FLAG
  }

  static ManifestField text(List<String> parent, String key) {
    return new ManifestField(below(parent, key), Type.TEXT);
  }

  static ManifestField number(List<String> parent, String key) {
    return new ManifestField(below(parent, key), Type.NUMBER);
  }

  static ManifestField flag(List<String> parent, String key) {
    return new ManifestField(below(parent, key), Type.FLAG);
  }

  static List<String> below(List<String> parent, String... keys) {
    List<String> path = new ArrayList<>(parent);
    path.addAll(List.of(keys));
    return List.copyOf(path);
  }

  /** The node at a path, or a missing node. */
  static JsonNode at(JsonNode tree, List<String> path) {
    JsonNode node = tree;
    for (String key : path) {
      node = node.path(key);
    }
    return node;
  }

  /**
   * The mapping at a path, made if it is not there.
   *
   * @throws IllegalArgumentException if something else is there
   */
  static ObjectNode mapping(ObjectNode tree, List<String> path) {
    ObjectNode node = tree;
    for (int i = 0; i < path.size(); i++) {
      JsonNode child = node.path(path.get(i));
      if (child.isMissingNode() || child.isNull()) {
        node = node.putObject(path.get(i));
      } else if (child instanceof ObjectNode object) {
        node = object;
      } else {
        throw noMapping(path.subList(0, i + 1));
      }
    }
    return node;
  }

  /** What is said of something else at the place of a mapping. */
  static IllegalArgumentException noMapping(List<String> path) {
    return new IllegalArgumentException(
        name(path) + ": it is not a mapping; write its fields below it, as name: value");
  }

  /** The path as messages write it. */
  static String name(List<String> path) {
    StringBuilder name = new StringBuilder();
    for (String key : path) {
      if (key.contains(".") && !name.isEmpty()) {
        name.append("[\"").append(key).append("\"]");
      } else {
        name.append(name.isEmpty() ? "" : ".").append(key);
      }
    }
    return name.toString();
  }

  /**
   * What is written here; empty for nothing.
   *
   * @throws IllegalArgumentException if it has another type
   */
  String read(JsonNode tree) {
    JsonNode value = at(tree, path);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    boolean right =
        switch (type) {
          case TEXT -> value.isTextual();
          case NUMBER -> value.isIntegralNumber();
          case FLAG -> value.isBoolean();
        };
    if (!right) {
      throw new IllegalArgumentException(
          name(path)
              + ": "
              + (value.isValueNode() ? "'" + value.asText() + "'" : "it")
              + switch (type) {
                case TEXT -> " is not text; put it in quotes";
                case NUMBER -> " is not a whole number; write for example 4, without quotes";
                case FLAG -> " is neither true nor false; write one of them, without quotes";
              });
    }
    return value.asText();
  }

  void write(ObjectNode tree, String value) {
    ObjectNode parent = mapping(tree, path.subList(0, path.size() - 1));
    String key = path.get(path.size() - 1);
    switch (type) {
      case TEXT -> parent.put(key, value);
      case NUMBER -> parent.put(key, Long.parseLong(value));
      case FLAG -> parent.put(key, Boolean.parseBoolean(value));
    }
  }
}
