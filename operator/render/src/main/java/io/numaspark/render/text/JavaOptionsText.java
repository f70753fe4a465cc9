package io.numaspark.render.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A line of JVM options, as Spark splits spark.executor.extraJavaOptions into single ones
 * (Utils.splitCommandString): white space separates, single and double quotes group, and a
 * backslash within double quotes takes the next character as it is.
 */
public final class JavaOptionsText {
  private JavaOptionsText() {}

  /** The single options; an absent text has none, and a quote that is not closed ends with it. */
  public static List<String> split(String text) {
    List<String> options = new ArrayList<>();
    if (text == null) {
      return options;
    }
    StringBuilder option = new StringBuilder();
    boolean inOption = false;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == 0 && " \t\r\n".indexOf(c) >= 0) {
        if (inOption) {
          options.add(option.toString());
          option.setLength(0);
          inOption = false;
        }
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
        inOption = true;
      } else if (c == quote) {
        quote = 0;
      } else if (quote == '"' && c == '\\') {
        if (i + 1 < text.length()) {
          option.append(text.charAt(++i));
        }
      } else {
        option.append(c);
        inOption = true;
      }
    }
    if (inOption) {
      options.add(option.toString());
    }
    return options;
  }

  /** A line that is split into these options again. */
  public static String join(List<String> options) {
    return options.stream().map(JavaOptionsText::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String option) {
    boolean plain =
        !option.isEmpty() && option.chars().noneMatch(c -> " \t\r\n\"'".indexOf(c) >= 0);
    return plain ? option : '"' + option.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
