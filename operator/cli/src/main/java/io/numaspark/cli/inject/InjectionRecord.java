package io.numaspark.cli.inject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.cli.yaml.YamlTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What an injection has changed, kept in the manifest itself so that the next one starts from what
 * the user wrote and not from what numaspark made of it.
 *
 * <p>Keys are JSON pointers (RFC 6901); {@code set} holds what was written, {@code was} what it
 * replaced. A pointer that ends in {@code -} stands for items at the end of a list, an empty
 * mapping for one that was made to hold what follows, null for a value that was removed.
 */
record InjectionRecord(String profile, ObjectNode set, ObjectNode was) {
  static final String ANNOTATION = "numaspark.io/injected";
  static final String PROPERTY = "spark.numaspark.injected";

  /** Numbers as {@link YamlTree} makes them, so that equal values are equal nodes. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_LONG_FOR_INTS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** The tree with the number types of {@link YamlTree}. */
  static JsonNode normal(JsonNode tree) {
    try {
      return JSON.readTree(JSON.writeValueAsString(tree));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written and read", e);
    }
  }

  /** What changed between two trees. */
  static InjectionRecord between(String profile, JsonNode before, JsonNode after) {
    InjectionRecord record =
        new InjectionRecord(profile, JSON.createObjectNode(), JSON.createObjectNode());
    record.compare("", before, after);
    return record;
  }

  private void compare(String pointer, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return;
    }
    if (before.isObject() && after.isObject()) {
      after
          .properties()
          .forEach(
              entry ->
                  compare(
                      pointer + "/" + escaped(entry.getKey()),
                      before.path(entry.getKey()),
                      entry.getValue()));
      before
          .properties()
          .forEach(
              entry -> {
                if (!after.has(entry.getKey())) {
                  String removed = pointer + "/" + escaped(entry.getKey());
                  set.putNull(removed);
                  was.set(removed, entry.getValue());
                }
              });
    } else if (before.isArray() && after.isArray()) {
      for (int i = 0; i < before.size(); i++) {
        compare(pointer + "/" + i, before.get(i), after.get(i));
      }
      ArrayNode added = JSON.createArrayNode();
      for (int i = before.size(); i < after.size(); i++) {
        added.add(after.get(i));
      }
      if (!added.isEmpty()) {
        set.set(pointer + "/-", added);
      }
    } else {
      boolean made = after.isObject() && !after.isEmpty();
      set.set(pointer, made ? JSON.createObjectNode() : after);
      if (!before.isMissingNode()) {
        was.set(pointer, before);
      }
      if (made) {
        compare(pointer, JSON.createObjectNode(), after);
      }
    }
  }

  /** As it is kept in the manifest. */
  String text() {
    ObjectNode all = JSON.createObjectNode();
    all.put("profile", profile);
    all.set("set", set);
    all.set("was", was);
    return all.toString();
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if someone has edited it
   */
  static InjectionRecord parse(String field, String text) {
    try {
      JsonNode all = JSON.readTree(text);
      if (all.path("profile").isTextual()
          && all.path("set") instanceof ObjectNode set
          && all.path("was") instanceof ObjectNode was) {
        return new InjectionRecord(all.get("profile").textValue(), set, was);
      }
    } catch (JsonProcessingException e) {
      // Said below with the remedy.
    }
    throw new IllegalArgumentException(
        field + ": is not what numaspark inject writes; restore it from before the edit");
  }

  /**
   * Takes an injection back.
   *
   * @return the pointer to a value that was edited since, for which nobody can say what is wanted;
   *     the tree is then in an undefined state
   */
  Optional<String> undo(ObjectNode tree) {
    List<String> pointers = new ArrayList<>();
    set.fieldNames().forEachRemaining(pointers::add);
    Collections.reverse(pointers);
    for (String pointer : pointers) {
      int slash = pointer.lastIndexOf('/');
      if (slash < 0) {
        return Optional.of(pointer);
      }
      JsonNode parent = at(tree, pointer.substring(0, slash));
      String key = pointer.substring(slash + 1).replace("~1", "/").replace("~0", "~");
      boolean undone =
          parent instanceof ArrayNode array
              ? undo(array, key, pointer)
              : parent instanceof ObjectNode object && undo(object, key, pointer);
      if (!undone) {
        return Optional.of(pointer);
      }
    }
    return Optional.empty();
  }

  private boolean undo(ObjectNode object, String key, String pointer) {
    JsonNode written = set.get(pointer);
    JsonNode now = object.path(key);
    if (written.isObject() && now.isObject() && !now.isEmpty()) {
      // The user has put something into a mapping that numaspark made: it stays.
      return true;
    }
    boolean removed = written.isNull() && now.isMissingNode();
    if (!removed && !written.equals(now)) {
      return false;
    }
    if (was.has(pointer)) {
      object.set(key, was.get(pointer));
    } else {
      object.remove(key);
    }
    return true;
  }

  private boolean undo(ArrayNode array, String key, String pointer) {
    if (key.equals("-")) {
      JsonNode added = set.get(pointer);
      for (int i = added.size() - 1; i >= 0; i--) {
        int last = array.size() - 1;
        if (last < 0 || !array.get(last).equals(added.get(i))) {
          return false;
        }
        array.remove(last);
      }
      return true;
    }
    if (!key.matches("[0-9]{1,4}") || !was.has(pointer)) {
      return false;
    }
    int index = Integer.parseInt(key);
    if (index >= array.size() || !array.get(index).equals(set.get(pointer))) {
      return false;
    }
    array.set(index, was.get(pointer));
    return true;
  }

  private static JsonNode at(JsonNode tree, String pointer) {
    try {
      return tree.at(pointer);
    } catch (IllegalArgumentException e) {
      // No pointer: an edited record.
      return tree.path("").path("");
    }
  }

  private static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }
}
