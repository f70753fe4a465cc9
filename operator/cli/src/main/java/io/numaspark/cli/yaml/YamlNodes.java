package io.numaspark.cli.yaml;

import java.util.IdentityHashMap;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Questions to SnakeYAML's node graph. */
final class YamlNodes {
  private YamlNodes() {}

  /** The text under a key of a mapping, or an empty one. */
  static String child(Node node, String key) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        if (entry.getKeyNode() instanceof ScalarNode name
            && name.getValue().equals(key)
            && entry.getValueNode() instanceof ScalarNode value) {
          return value.getValue();
        }
      }
    }
    return "";
  }

  /** How many places hold a node; more than one if it has an anchor that an alias names. */
  static Map<Node, Integer> places(Node root) {
    Map<Node, Integer> places = new IdentityHashMap<>();
    count(root, places);
    return places;
  }

  private static void count(Node node, Map<Node, Integer> places) {
    if (places.merge(node, 1, Integer::sum) > 1) {
      return;
    }
    if (node instanceof MappingNode mapping) {
      mapping
          .getValue()
          .forEach(
              entry -> {
                count(entry.getKeyNode(), places);
                count(entry.getValueNode(), places);
              });
    } else if (node instanceof SequenceNode sequence) {
      sequence.getValue().forEach(item -> count(item, places));
    }
  }

  static boolean isFlow(Node node) {
    return node instanceof CollectionNode<?> collection
        && collection.getFlowStyle() == FlowStyle.FLOW;
  }

  static boolean isBlockScalar(Node node) {
    return node instanceof ScalarNode scalar
        && (scalar.getScalarStyle() == ScalarStyle.LITERAL
            || scalar.getScalarStyle() == ScalarStyle.FOLDED);
  }

  /** Whether a flow mapping is written as JSON, with its keys in double quotes. */
  static boolean isJson(Node node) {
    if (node instanceof SequenceNode sequence) {
      return !sequence.getValue().isEmpty() && isJson(sequence.getValue().get(0));
    }
    return node instanceof MappingNode mapping
        && !mapping.getValue().isEmpty()
        && mapping.getValue().get(0).getKeyNode() instanceof ScalarNode key
        && key.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED;
  }
}
