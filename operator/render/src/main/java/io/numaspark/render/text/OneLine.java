package io.numaspark.render.text;

import java.util.Objects;

/**
 * Text of somebody else as one line that shows what it is: a pod's message may hold line breaks
 * that forge a line of ours, and sequences that a terminal obeys.
 *
 * <p>Limit: it does not shorten, and what looks like another letter stays.
 */
public final class OneLine {
  private static final int REPLACEMENT = 0xFFFD;

  private OneLine() {}

  /** The text with a space for each line break and tab, and U+FFFD for what cannot be shown. */
  public static String of(String text) {
    Objects.requireNonNull(text);
    if (text.codePoints().allMatch(OneLine::isShown)) {
      return text;
    }
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints().map(OneLine::shown).forEach(line::appendCodePoint);
    return line.toString();
  }

  private static int shown(int character) {
    if (character == '\n' || character == '\r' || character == '\t') {
      return ' ';
    }
    return isShown(character) ? character : REPLACEMENT;
  }

  /** Whether it neither ends a line, nor moves a cursor, nor turns the direction of text. */
  public static boolean isShown(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> (character & 0xFFFE) != 0xFFFE;
    };
  }
}
