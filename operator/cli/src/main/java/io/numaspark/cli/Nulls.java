package io.numaspark.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Empty values: a key without a value counts as absent, as with kubectl; a list item is wrong. */
public final class Nulls {
  private Nulls() {}

  /**
   * Changes a document in place.
   *
   * @param path what the node is called; empty for the document
   */
  public static void drop(JsonNode node, String path, Notes notes) {
    if (node instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
      object
          .properties()
          .forEach(
              entry ->
                  drop(
                      entry.getValue(),
                      path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(),
                      notes));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      String item = path + "[" + i + "]";
      if (node.get(i).isNull()) {
        notes.refuse(item, "is empty; give it a value or remove it");
      }
      drop(node.get(i), item, notes);
    }
  }
}
