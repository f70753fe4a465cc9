package io.numaspark.generators.chart;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.comments.CommentLine;
import org.yaml.snakeyaml.comments.CommentType;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A value of the chart, as values.yaml has it.
 *
 * @param path its keys from the outermost on
 * @param comment the comment above it in one line; empty if there is none
 * @param absent what it is unless it is set, as YAML in one line; empty for a group
 * @param group whether it holds values that are described one by one
 */
record ChartValue(List<String> path, String comment, String absent, boolean group) {
  /** All values in the order of the file, a group before what it holds. */
  static List<ChartValue> read(Path file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setProcessComments(true);
    List<ChartValue> values = new ArrayList<>();
    try (var reader = Files.newBufferedReader(file)) {
      collect((MappingNode) new Yaml(options).compose(reader), List.of(), values);
    }
    return values;
  }

  private static void collect(MappingNode group, List<String> path, List<ChartValue> values) {
    for (NodeTuple tuple : group.getValue()) {
      List<String> inner = new ArrayList<>(path);
      inner.add(((ScalarNode) tuple.getKeyNode()).getValue());
      String comment = comment(tuple.getKeyNode());
      boolean isGroup =
          tuple.getValueNode() instanceof MappingNode mapping
              && mapping.getValue().stream()
                  .anyMatch(child -> !comment(child.getKeyNode()).isEmpty());
      values.add(
          new ChartValue(
              List.copyOf(inner), comment, isGroup ? "" : oneLine(tuple.getValueNode()), isGroup));
      if (isGroup) {
        collect((MappingNode) tuple.getValueNode(), inner, values);
      }
    }
  }

  /** What stands directly above: an empty line ends the comment of something else. */
  private static String comment(Node key) {
    List<CommentLine> lines = key.getBlockComments() == null ? List.of() : key.getBlockComments();
    int last = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).getCommentType() == CommentType.BLANK_LINE) {
        last = i;
      }
    }
    return lines.stream()
        .skip(last + 1L)
        .map(line -> line.getValue().strip())
        .collect(Collectors.joining(" "));
  }

  private static String oneLine(Node node) {
    StringWriter text = new StringWriter();
    new Yaml().serialize(node, text);
    Object value = new Yaml().load(text.toString());
    if (value instanceof String string) {
      return string.isEmpty() ? "\"\"" : string;
    }
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.FLOW);
    options.setWidth(Integer.MAX_VALUE);
    return new Yaml(options).dump(value).strip();
  }

  /** The keys with dots between them, as in {@code --set}. */
  String name() {
    return String.join(".", path);
  }
}
