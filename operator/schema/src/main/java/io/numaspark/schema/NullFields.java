package io.numaspark.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Fields without a value, which are absent fields for kubectl and the API server.
 *
 * <p>Limit: a list has no absent items, so an item without a value stays and is reported.
 */
public final class NullFields {
  private NullFields() {}

  /**
   * Takes the fields without a value out of a tree, at any depth.
   *
   * @param path what the tree is called; empty for a document
   * @return the paths of list items without a value, in the order of the tree
   */
  public static List<String> drop(JsonNode tree, String path) {
    List<String> emptyItems = new ArrayList<>();
    drop(tree, path, emptyItems);
    return emptyItems;
  }

  private static void drop(JsonNode node, String path, List<String> emptyItems) {
    if (node instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
      object
          .properties()
          .forEach(
              field ->
                  drop(
                      field.getValue(),
                      path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                      emptyItems));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      String item = path + "[" + i + "]";
      if (node.get(i).isNull()) {
        emptyItems.add(item);
      }
      drop(node.get(i), item, emptyItems);
    }
  }
}
