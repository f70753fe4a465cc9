package io.numaspark.render.text;

import java.util.SortedMap;

/**
 * Text of a Java properties file: sorted, without a date, escaped as {@link java.util.Properties}
 * reads it.
 *
 * <p>{@code Properties.store} is not used because it writes the time of day, which would make equal
 * plans differ.
 */
public final class SparkPropertiesText {
  private SparkPropertiesText() {}

  /** The text of a properties file. */
  public static String format(SortedMap<String, String> properties) {
    StringBuilder text = new StringBuilder();
    properties.forEach(
        (key, value) -> {
          escape(text, key, true);
          text.append('=');
          escape(text, value, false);
          text.append('\n');
        });
    return text.toString();
  }

  private static void escape(StringBuilder text, String value, boolean key) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        case '\f' -> text.append("\\f");
        case ' ' -> text.append(key || i == 0 ? "\\ " : " ");
        case '=', ':', '#', '!' -> text.append(key || i == 0 ? "\\" + c : String.valueOf(c));
        default -> {
          if (c < 0x20 || c > 0x7e) {
            text.append(String.format("\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
  }
}
