package io.numaspark.cli.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * The edits that give a document other values: scalars are replaced where they stand, new keys and
 * items are put after their neighbours, in their neighbours' indentation and style.
 */
final class YamlSplice {
  /** New keys read best beside their siblings; all others go to the end of their mapping. */
  private static final Map<String, List<String>> AFTER =
      Map.of(
          "coreRequest", List.of("cores"),
          "coreLimit", List.of("coreRequest", "cores"),
          "memoryOverhead", List.of("memory"),
          "annotations", List.of("namespace", "name"));

  private final String text;
  private final String lineBreak;
  private final boolean hasSurrogates;
  private final boolean json;
  private final Map<Node, Integer> places;
  private final List<TextEdit> edits = new ArrayList<>();

  private YamlSplice(String text, Node document) {
    this.text = text;
    this.lineBreak = text.contains("\r\n") ? "\r\n" : "\n";
    this.hasSurrogates = text.codePointCount(0, text.length()) < text.length();
    this.json = YamlNodes.isFlow(document) && YamlNodes.isJson(document);
    this.places = YamlNodes.places(document);
  }

  /**
   * The edits from what a document holds to what is wanted.
   *
   * @throws IllegalArgumentException naming the field that cannot be edited
   */
  static List<TextEdit> edits(String text, Node document, JsonNode wanted) {
    YamlSplice splice = new YamlSplice(text, document);
    splice.change(document, wanted, "");
    return splice.edits;
  }

  private void change(Node node, JsonNode wanted, String path) {
    JsonNode now = YamlTree.of(node);
    if (now.equals(wanted)) {
      return;
    }
    if (places.get(node) > 1) {
      throw new IllegalArgumentException(
          path + ": is shared through an anchor (&) and an alias (*); write it out");
    }
    if (node instanceof MappingNode mapping && wanted.isObject()) {
      mapping(mapping, wanted, path);
    } else if (node instanceof SequenceNode sequence && wanted.isArray()) {
      sequence(sequence, wanted, path);
    } else if (node instanceof ScalarNode scalar && (now.isNull() || wanted.isValueNode())) {
      scalar(scalar, wanted, path);
    } else {
      throw new IllegalArgumentException(path + ": cannot be replaced; remove it");
    }
  }

  private void scalar(ScalarNode scalar, JsonNode wanted, String path) {
    if (YamlNodes.isBlockScalar(scalar)) {
      throw new IllegalArgumentException(
          path + ": is a text over several lines (| or >); write it on one line");
    }
    int start = index(scalar.getStartMark());
    int end = index(scalar.getEndMark());
    String value =
        wanted.isTextual() && !json
            ? YamlText.scalar(wanted.textValue(), scalar.getScalarStyle())
            : YamlText.flow(wanted, json);
    edits.add(new TextEdit(start, end, (start == end ? " " : "") + value));
  }

  private void mapping(MappingNode mapping, JsonNode wanted, String path) {
    Map<String, JsonNode> added = new LinkedHashMap<>();
    wanted.properties().forEach(entry -> added.put(entry.getKey(), entry.getValue()));
    mapping.getValue().forEach(entry -> added.remove(YamlTree.key(entry)));
    List<NodeTuple> kept = new ArrayList<>();
    for (NodeTuple entry : mapping.getValue()) {
      String key = YamlTree.key(entry);
      if (wanted.has(key)) {
        kept.add(entry);
        change(entry.getValueNode(), wanted.get(key), path.isEmpty() ? key : path + "." + key);
      } else if (rename(entry, added)) {
        kept.add(entry);
      }
    }
    if (kept.isEmpty() && !mapping.getValue().isEmpty()) {
      throw new IllegalArgumentException(path + ": cannot be emptied; remove it");
    }
    delete(mapping, kept);
    if (YamlNodes.isFlow(mapping)) {
      List<String> entries =
          added.entrySet().stream()
              .map(e -> YamlText.flowEntry(e, json || YamlNodes.isJson(mapping)))
              .toList();
      addFlow(mapping, kept.isEmpty() ? null : kept.get(kept.size() - 1).getValueNode(), entries);
      return;
    }
    int indent = column(index(mapping.getValue().get(0).getKeyNode().getStartMark()));
    for (Map.Entry<String, JsonNode> entry : added.entrySet()) {
      int end = lineEnd(entryEnd(neighbour(kept, entry.getKey())));
      String lines = YamlText.blockEntry(entry.getKey(), entry.getValue(), indent, lineBreak);
      edits.add(new TextEdit(end, end, lineBreak + " ".repeat(indent) + lines));
    }
  }

  /** A key that goes while another comes with its value has a new name and keeps its place. */
  private boolean rename(NodeTuple entry, Map<String, JsonNode> added) {
    JsonNode value = YamlTree.of(entry.getValueNode());
    for (Map.Entry<String, JsonNode> candidate : added.entrySet()) {
      if (candidate.getValue().equals(value)) {
        ScalarNode key = (ScalarNode) entry.getKeyNode();
        edits.add(
            new TextEdit(
                index(key.getStartMark()),
                index(key.getEndMark()),
                YamlText.scalar(candidate.getKey(), key.getScalarStyle())));
        added.remove(candidate.getKey());
        return true;
      }
    }
    return false;
  }

  private static NodeTuple neighbour(List<NodeTuple> entries, String key) {
    for (String name : AFTER.getOrDefault(key, List.of())) {
      for (NodeTuple entry : entries) {
        if (YamlTree.key(entry).equals(name)) {
          return entry;
        }
      }
    }
    return entries.get(entries.size() - 1);
  }

  /** Takes out whole lines in block style, and an entry with its comma in flow style. */
  private void delete(MappingNode mapping, List<NodeTuple> kept) {
    List<NodeTuple> entries = mapping.getValue();
    for (int i = 0; i < entries.size(); i++) {
      if (kept.contains(entries.get(i))) {
        continue;
      }
      int start = index(entries.get(i).getKeyNode().getStartMark());
      int end = entryEnd(entries.get(i));
      if (YamlNodes.isFlow(mapping)) {
        edits.add(
            i > 0
                ? new TextEdit(entryEnd(entries.get(i - 1)), end, "")
                : new TextEdit(start, index(entries.get(1).getKeyNode().getStartMark()), ""));
      } else {
        int previous = text.lastIndexOf('\n', start);
        previous -= previous > 0 && text.charAt(previous - 1) == '\r' ? 1 : 0;
        edits.add(new TextEdit(Math.max(previous, 0), lineEnd(end), ""));
      }
    }
  }

  private void sequence(SequenceNode sequence, JsonNode wanted, String path) {
    List<Node> items = sequence.getValue();
    if (wanted.size() < items.size()) {
      throw new IllegalArgumentException(
          path + ": has items that numaspark inject added; remove them by hand");
    }
    for (int i = 0; i < items.size(); i++) {
      change(items.get(i), wanted.get(i), path + "[" + i + "]");
    }
    List<JsonNode> added = new ArrayList<>();
    for (int i = items.size(); i < wanted.size(); i++) {
      added.add(wanted.get(i));
    }
    Node last = items.isEmpty() ? null : items.get(items.size() - 1);
    if (YamlNodes.isFlow(sequence)) {
      boolean quoted = json || YamlNodes.isJson(sequence);
      addFlow(sequence, last, added.stream().map(item -> YamlText.flow(item, quoted)).toList());
      return;
    }
    int indent = column(text.lastIndexOf('-', index(items.get(0).getStartMark()) - 1));
    int end = lineEnd(end(last, path));
    for (JsonNode item : added) {
      String lines = YamlText.blockItem(item, indent, lineBreak);
      edits.add(new TextEdit(end, end, lineBreak + " ".repeat(indent) + lines));
    }
  }

  /** Adds behind the last entry of a flow collection, on lines of their own if it is on one. */
  private void addFlow(Node collection, Node last, List<String> added) {
    if (added.isEmpty()) {
      return;
    }
    if (last == null) {
      int end = index(collection.getEndMark()) - 1;
      edits.add(new TextEdit(end, end, String.join(", ", added)));
      return;
    }
    int end = end(last, "");
    int lineEnd = lineEnd(end);
    String rest = text.substring(end, lineEnd);
    int open = index(collection.getStartMark());
    if (lineEnd(open) < end && rest.matches("\\s*(#.*)?")) {
      int first = firstEntry(collection);
      String indent = lineBreak + " ".repeat(column(first));
      edits.add(new TextEdit(end, end, ","));
      edits.add(new TextEdit(lineEnd, lineEnd, indent + String.join("," + indent, added)));
    } else {
      edits.add(new TextEdit(end, end, ", " + String.join(", ", added)));
    }
  }

  private int firstEntry(Node collection) {
    Node first =
        collection instanceof MappingNode mapping
            ? mapping.getValue().get(0).getKeyNode()
            : ((SequenceNode) collection).getValue().get(0);
    return index(first.getStartMark());
  }

  /** Where an entry ends; for an alias, which has no place of its own, the end of its key. */
  private int entryEnd(NodeTuple entry) {
    int key = index(entry.getKeyNode().getEndMark());
    boolean alias = index(entry.getValueNode().getStartMark()) < key;
    return alias ? key : end(entry.getValueNode(), YamlTree.key(entry));
  }

  /** Where the last character of a value is; a block collection's own mark is at the next token. */
  private int end(Node node, String path) {
    if (places.get(node) > 1) {
      throw new IllegalArgumentException(
          (path.isEmpty() ? "a value" : path)
              + ": is shared through an anchor (&) and an alias (*); write it out");
    }
    if (node instanceof MappingNode mapping && !YamlNodes.isFlow(node)) {
      return entryEnd(mapping.getValue().get(mapping.getValue().size() - 1));
    }
    if (node instanceof SequenceNode sequence && !YamlNodes.isFlow(node)) {
      return end(sequence.getValue().get(sequence.getValue().size() - 1), path);
    }
    int end = index(node.getEndMark());
    while (YamlNodes.isBlockScalar(node) && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  private int lineEnd(int index) {
    int end = index;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    return end;
  }

  private int column(int index) {
    return index - (text.lastIndexOf('\n', index - 1) + 1);
  }

  /** SnakeYAML counts code points, a Java string UTF-16 units. */
  private int index(Mark mark) {
    return hasSurrogates ? text.offsetByCodePoints(0, mark.getIndex()) : mark.getIndex();
  }
}
