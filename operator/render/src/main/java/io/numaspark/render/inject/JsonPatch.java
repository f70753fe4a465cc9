package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The operations of RFC 6902 that make one tree of another, in time that grows with their size.
 *
 * <p>Limit: a list that is not just longer at its end is replaced as a whole. Libraries look for
 * the least change, which takes the square of a list's length in time and memory, and these lists
 * are written by strangers.
 */
public final class JsonPatch {
  private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

  private JsonPatch() {}

  /** The operations, in order; none if the trees are equal. */
  public static ArrayNode between(JsonNode before, JsonNode after) {
    JsonPatch patch = new JsonPatch();
    patch.compare("", before, after);
    return patch.operations;
  }

  private void compare(String pointer, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return;
    }
    if (before.isObject() && after.isObject()) {
      compareFields(pointer, before, after);
    } else if (before.isArray() && after.isArray() && startsWith(after, before)) {
      for (int i = before.size(); i < after.size(); i++) {
        add("add", pointer + "/-").set("value", after.get(i));
      }
    } else {
      add("replace", pointer).set("value", after);
    }
  }

  private void compareFields(String pointer, JsonNode before, JsonNode after) {
    before
        .fieldNames()
        .forEachRemaining(
            key -> {
              if (!after.has(key)) {
                add("remove", pointer + "/" + InjectionRecord.escaped(key));
              }
            });
    after
        .properties()
        .forEach(
            entry -> {
              String below = pointer + "/" + InjectionRecord.escaped(entry.getKey());
              JsonNode old = before.get(entry.getKey());
              if (old == null) {
                add("add", below).set("value", entry.getValue());
              } else {
                compare(below, old, entry.getValue());
              }
            });
  }

  private static boolean startsWith(JsonNode list, JsonNode start) {
    for (int i = 0; i < start.size(); i++) {
      if (!start.get(i).equals(list.path(i))) {
        return false;
      }
    }
    return true;
  }

  private ObjectNode add(String operation, String path) {
    return operations.addObject().put("op", operation).put("path", path);
  }
}
