package io.numaspark.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The values of a YAML document, without its form.
 *
 * <p>Limit: numbers other than plain decimal ones, timestamps and custom tags become texts.
 */
public final class YamlTree {
  /** Far above any manifest, far below what aliases of aliases can grow to. */
  private static final int MOST_VALUES = 100_000;

  private final Deque<Node> open = new ArrayDeque<>();
  private int values;

  private YamlTree() {}

  /**
   * The document's values.
   *
   * @throws IllegalArgumentException for a duplicate key, a key that is not text, a merge key, and
   *     a document that contains itself or grows too large through aliases; names the line
   */
  static JsonNode of(Node document) {
    return new YamlTree().convert(document);
  }

  private JsonNode convert(Node node) {
    if (++values > MOST_VALUES || open.contains(node)) {
      throw wrong(node, "the aliases grow without end; write the values out");
    }
    if (node instanceof ScalarNode scalar) {
      return scalar(scalar);
    }
    open.push(node);
    try {
      return node instanceof MappingNode mapping ? mapping(mapping) : list((SequenceNode) node);
    } finally {
      open.pop();
    }
  }

  private ObjectNode mapping(MappingNode mapping) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (NodeTuple entry : mapping.getValue()) {
      String key = key(entry);
      if (object.has(key)) {
        throw wrong(entry.getKeyNode(), "the key " + key + " is there twice; remove one");
      }
      object.set(key, convert(entry.getValueNode()));
    }
    return object;
  }

  static String key(NodeTuple entry) {
    if (!(entry.getKeyNode() instanceof ScalarNode key)) {
      throw wrong(entry.getKeyNode(), "a key is a mapping or a list; write a text");
    }
    if (key.getTag().equals(Tag.MERGE)) {
      throw wrong(
          key, "a merge key (<<) brings fields that are not written here; write the fields out");
    }
    return key.getValue();
  }

  private ArrayNode list(SequenceNode sequence) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    sequence.getValue().forEach(item -> array.add(convert(item)));
    return array;
  }

  private static JsonNode scalar(ScalarNode scalar) {
    JsonNodeFactory factory = JsonNodeFactory.instance;
    String text = scalar.getValue();
    if (scalar.getTag().equals(Tag.NULL)) {
      return factory.nullNode();
    }
    if (scalar.getTag().equals(Tag.BOOL)) {
      return text.matches("(?i)true|false")
          ? factory.booleanNode(Boolean.parseBoolean(text))
          : factory.textNode(text);
    }
    if (scalar.getTag().equals(Tag.INT) && text.matches("-?(0|[1-9][0-9]{0,17})")) {
      return factory.numberNode(Long.parseLong(text));
    }
    if (scalar.getTag().equals(Tag.FLOAT) && text.matches("-?[0-9]{1,18}\\.[0-9]{1,18}")) {
      return factory.numberNode(new BigDecimal(text));
    }
    return factory.textNode(text);
  }

  private static IllegalArgumentException wrong(Node node, String what) {
    return new IllegalArgumentException(
        "line %d: %s".formatted(node.getStartMark().getLine() + 1, what));
  }
}
