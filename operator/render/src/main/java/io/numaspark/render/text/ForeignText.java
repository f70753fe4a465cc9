package io.numaspark.render.text;

import java.nio.charset.StandardCharsets;

/**
 * A text that somebody else wrote, as one line of bounded length: a status stays small enough for
 * etcd, and nobody writes lines into a log or a terminal that are not the operator's.
 */
public final class ForeignText {
  private static final String MORE = "…";

  private ForeignText() {}

  /**
   * One line.
   *
   * @param text null stays null
   * @param longest characters at most, with the mark that something is left out
   */
  public static String line(String text, int longest) {
    if (text == null || text.length() <= longest && text.codePoints().allMatch(OneLine::isShown)) {
      return text;
    }
    String start =
        text.length() <= longest
            ? text
            : text.substring(0, wholeCharacters(text, longest - MORE.length())) + MORE;
    StringBuilder line = new StringBuilder(start.length());
    start.codePoints().map(c -> OneLine.isShown(c) ? c : ' ').forEach(line::appendCodePoint);
    return line.toString();
  }

  /**
   * One line of at most so many bytes of UTF-8.
   *
   * @param text null stays null
   */
  public static String bytes(String text, int most) {
    String line = line(text, most);
    if (line == null || size(line) <= most) {
      return line;
    }
    int end = 0;
    int room = most - size(MORE);
    while (true) {
      int next = line.offsetByCodePoints(end, 1);
      room -= size(line.substring(end, next));
      if (room < 0) {
        return line.substring(0, end) + MORE;
      }
      end = next;
    }
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Half of a pair would be no character. */
  private static int wholeCharacters(String text, int length) {
    return Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
  }
}
