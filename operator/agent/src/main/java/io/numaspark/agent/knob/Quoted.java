package io.numaspark.agent.knob;

/**
 * Foreign text as it may stand in a message: short, and without control characters.
 *
 * <p>Limit: for people to read, not to be parsed again.
 */
public final class Quoted {

  private static final int MAX_CHARS = 64;

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
}
