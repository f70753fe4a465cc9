package io.numaspark.cli.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.cli.yaml.TextEdit;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A properties file whose values can be changed while everything else keeps its bytes.
 *
 * <p>The syntax is that of {@link Properties}, with which spark-submit reads the file
 * (Utils.getPropertiesFromFile, which also trims the values).
 */
public final class PropertiesText {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** A property with the places of its first character, its value, and the end of its line. */
  private record Entry(int start, int separator, int value, int end, String text) {}

  private final String text;
  private final Map<String, Entry> entries;

  private PropertiesText(String text, Map<String, Entry> entries) {
    this.text = text;
    this.entries = entries;
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException for a broken escape and for a property that is there twice;
   *     names the line
   */
  public static PropertiesText parse(String text) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    int start = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    while (start < text.length()) {
      int first = skipWhitespace(text, start, text.length());
      if (first == text.length() || isBreak(text.charAt(first))) {
        start = first + 1;
        continue;
      }
      boolean comment = text.charAt(first) == '#' || text.charAt(first) == '!';
      int end = comment ? naturalEnd(text, first) : logicalEnd(text, first);
      if (!comment) {
        put(entries, text, first, end);
      }
      start = end;
    }
    return new PropertiesText(text, entries);
  }

  private static void put(Map<String, Entry> entries, String text, int start, int end) {
    Properties parsed = new Properties();
    String line = "line " + (1 + (int) text.substring(0, start).lines().count());
    try {
      parsed.load(new StringReader(text.substring(start, end)));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(line + ": " + e.getMessage(), e);
    }
    if (parsed.size() != 1) {
      throw new IllegalArgumentException(
          line + ": there is no property before the backslash; remove it");
    }
    String key = parsed.stringPropertyNames().iterator().next();
    int separator = start;
    while (separator < end && " \t\f=:\r\n".indexOf(text.charAt(separator)) < 0) {
      separator += text.charAt(separator) == '\\' ? 2 : 1;
    }
    int value = skipWhitespace(text, Math.min(separator, end), end);
    if (value < end && (text.charAt(value) == '=' || text.charAt(value) == ':')) {
      value = skipWhitespace(text, value + 1, end);
    }
    Entry entry =
        new Entry(start, Math.min(separator, end), value, end, parsed.getProperty(key).trim());
    if (entries.putIfAbsent(key, entry) != null) {
      throw new IllegalArgumentException(line + ": " + key + " is there twice; remove one");
    }
  }

  /** The properties with their values. */
  public ObjectNode tree() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    entries.forEach((key, entry) -> tree.put(key, entry.text));
    return tree;
  }

  /**
   * The text in which the properties have the given values; new ones come last.
   *
   * @throws IllegalArgumentException if the file is written in a way that cannot be edited
   */
  public String with(ObjectNode wanted) {
    List<TextEdit> edits = new ArrayList<>();
    entries.forEach(
        (key, entry) -> {
          JsonNode value = wanted.get(key);
          if (value == null) {
            edits.add(new TextEdit(entry.start, afterBreak(entry.end), ""));
          } else if (!value.asText().equals(entry.text)) {
            String gap = entry.value == entry.separator ? " " : "";
            edits.add(new TextEdit(entry.value, entry.end, gap + escaped(value.asText())));
          }
        });
    String lineBreak = text.contains("\r\n") ? "\r\n" : "\n";
    boolean open = !text.isEmpty() && !isBreak(text.charAt(text.length() - 1));
    StringBuilder added = new StringBuilder();
    wanted
        .properties()
        .forEach(
            property -> {
              if (!entries.containsKey(property.getKey())) {
                String line =
                    property.getKey() + separator() + escaped(property.getValue().asText());
                added.append(open ? lineBreak + line : line + lineBreak);
              }
            });
    edits.add(new TextEdit(text.length(), text.length(), added.toString()));
    return TextEdit.apply(text, edits)
        .filter(edited -> parse(edited).tree().equals(wanted))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "it is written in a form that cannot be edited in place; write one property a"
                        + " line"));
  }

  /** What the file's first property has between key and value, or one space. */
  private String separator() {
    return entries.values().stream()
        .findFirst()
        .map(entry -> text.substring(entry.separator, entry.value))
        .filter(separator -> separator.matches(" ?[=:] ?"))
        .orElse(" ");
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static boolean isBreak(char character) {
    return character == '\n' || character == '\r';
  }

  private static int skipWhitespace(String text, int from, int to) {
    int index = from;
    while (index < to && " \t\f".indexOf(text.charAt(index)) >= 0) {
      index++;
    }
    return index;
  }

  private static int naturalEnd(String text, int from) {
    int end = from;
    while (end < text.length() && !isBreak(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** An odd number of backslashes before the break continues the line. */
  private static int logicalEnd(String text, int from) {
    int end = naturalEnd(text, from);
    while (end < text.length() && isContinued(text, from, end)) {
      end = naturalEnd(text, Math.min(afterBreak(text, end), text.length()));
    }
    return end;
  }

  private static boolean isContinued(String text, int from, int end) {
    int backslashes = 0;
    while (end - backslashes > from && text.charAt(end - backslashes - 1) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }

  private int afterBreak(int end) {
    return afterBreak(text, end);
  }

  private static int afterBreak(String text, int end) {
    return text.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, text.length());
  }
}
