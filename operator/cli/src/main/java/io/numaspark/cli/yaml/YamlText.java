package io.numaspark.cli.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/** Writes new values as YAML, in block style over several lines or in flow style on one. */
final class YamlText {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Resolver RESOLVER = new Resolver();

  private YamlText() {}

  /** A whole document in block style; ends with a line break. */
  static String document(JsonNode value) {
    return String.join("\n", lines(value)) + "\n";
  }

  /** A key with its value in block style; the first line is not indented. */
  static String blockEntry(String key, JsonNode value, int indent, String lineBreak) {
    return String.join(lineBreak + " ".repeat(indent), entryLines(key, value));
  }

  /** A list item with its dash in block style; the first line is not indented. */
  static String blockItem(JsonNode value, int indent, String lineBreak) {
    return String.join(lineBreak + " ".repeat(indent), itemLines(value));
  }

  private static List<String> entryLines(String key, JsonNode value) {
    String name = scalar(key, ScalarStyle.PLAIN);
    List<String> lines = new ArrayList<>();
    if (value.isValueNode() || value.isEmpty()) {
      lines.add(name + ": " + flow(value, false));
      return lines;
    }
    lines.add(name + ":");
    for (String line : lines(value)) {
      lines.add("  " + line);
    }
    return lines;
  }

  private static List<String> itemLines(JsonNode value) {
    List<String> lines = new ArrayList<>();
    List<String> inner =
        value.isValueNode() || value.isEmpty() ? List.of(flow(value, false)) : lines(value);
    for (String line : inner) {
      lines.add((lines.isEmpty() ? "- " : "  ") + line);
    }
    return lines;
  }

  private static List<String> lines(JsonNode collection) {
    List<String> lines = new ArrayList<>();
    if (collection.isArray()) {
      collection.forEach(item -> lines.addAll(itemLines(item)));
    } else {
      collection
          .properties()
          .forEach(entry -> lines.addAll(entryLines(entry.getKey(), entry.getValue())));
    }
    return lines;
  }

  /**
   * A value on one line.
   *
   * @param json whether every text and key is put in double quotes, so that JSON stays JSON
   */
  static String flow(JsonNode value, boolean json) {
    if (json) {
      return json(value);
    }
    if (value.isArray()) {
      List<String> items = new ArrayList<>();
      value.forEach(item -> items.add(flow(item, false)));
      return "[" + String.join(", ", items) + "]";
    }
    if (value.isObject()) {
      List<String> entries = new ArrayList<>();
      value.properties().forEach(e -> entries.add(flowEntry(e, false)));
      return "{" + String.join(", ", entries) + "}";
    }
    return value.isTextual() ? scalar(value.textValue(), ScalarStyle.PLAIN) : value.asText();
  }

  /** A key and its value on one line. */
  static String flowEntry(Map.Entry<String, JsonNode> entry, boolean json) {
    String key = entry.getKey();
    return (json ? quoted(key) : scalar(key, ScalarStyle.PLAIN))
        + ": "
        + flow(entry.getValue(), json);
  }

  /** A text in the given style, or in quotes where it would not be read back as this text. */
  static String scalar(String text, ScalarStyle style) {
    if (style == ScalarStyle.PLAIN && isPlain(text)) {
      return text;
    }
    if (style == ScalarStyle.DOUBLE_QUOTED || !text.matches("[ -~]*")) {
      return quoted(text);
    }
    return style == ScalarStyle.SINGLE_QUOTED || text.contains("\"")
        ? "'" + text.replace("'", "''") + "'"
        : quoted(text);
  }

  /** YAML 1.1 and 1.2, which disagree over 1e3, must both read it as a text. */
  private static boolean isPlain(String text) {
    return text.matches("[A-Za-z0-9][A-Za-z0-9_./-]*")
        && !text.matches("[0-9.][0-9_.eExXoO+-]*|[yYnN]")
        && RESOLVER.resolve(NodeId.scalar, text, true).equals(Tag.STR);
  }

  /** A JSON string is a YAML double-quoted scalar. */
  private static String quoted(String text) {
    return json(JSON.getNodeFactory().textNode(text));
  }

  private static String json(JsonNode value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always printed", e);
    }
  }
}
