package io.numaspark.agent.knob;

/**
 * Foreign text as it may stand in a message: short, and without characters that do something.
 *
 * <p>Limit: for people to read, not to be parsed again.
 */
public final class Quoted {

  private static final int MAX_CHARS = 64;

  /** Our own longest messages have half as many. */
  private static final int MAX_LINE = 4096;

  private Quoted() {}

  /** The text, cut after {@value #MAX_CHARS} characters, with {@code ?} for what is not ASCII. */
  public static String of(String text) {
    if (text == null) {
      return "null";
    }
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < text.length() && i < MAX_CHARS; i++) {
      char c = text.charAt(i);
      result.append(c >= ' ' && c < 127 ? c : '?');
    }
    return text.length() > MAX_CHARS ? result.append("...").toString() : result.toString();
  }

  /**
   * A message of which foreign text is a part, as one line: what ends a line, moves a terminal's
   * cursor or turns the direction of writing is shown as its code, and what is too long is cut.
   */
  public static String line(String message) {
    String text = String.valueOf(message);
    int end = Math.min(text.length(), MAX_LINE);
    StringBuilder line = new StringBuilder(end + 16);
    for (int i = 0; i < end; i++) {
      append(text.charAt(i), line);
    }
    if (end < text.length()) {
      line.append("... (").append(text.length() - end).append(" characters more)");
    }
    return line.toString();
  }

  private static void append(char c, StringBuilder line) {
    if (!isActive(c)) {
      line.append(c);
      return;
    }
    line.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      line.append(Character.forDigit(c >> shift & 15, 16));
    }
  }

  /** By hand: the tables of all characters would be loaded for nothing else. */
  private static boolean isActive(char c) {
    return c < ' '
        || c >= 0x7F && c < 0xA0 // delete, and the second half of the control characters
        || c == 0x061C
        || c >= 0x200B && c <= 0x200F // without width, and marks of direction
        || c >= 0x2028 && c <= 0x202E // ends of line and paragraph, and turns of direction
        || c >= 0x2060 && c <= 0x206F
        || c == 0xFEFF;
  }
}
