package io.numaspark.render.picture;

import io.numaspark.render.text.OneLine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/**
 * Writes SVG and HTML that is also well-formed XML; every text and every attribute goes through its
 * escaping.
 *
 * <p>Limit: it does not know which elements and attributes exist.
 */
public final class Markup {
  private final StringBuilder text = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Starts an element; attributes are names and values in turn. */
  public Markup open(String element, String... attributes) {
    start(element, attributes).append(">\n");
    open.push(element);
    return this;
  }

  /** Ends the element that was started last. */
  public Markup close() {
    text.append("</").append(open.pop()).append(">\n");
    return this;
  }

  /** An element without content: only for those of SVG and for the void ones of HTML. */
  public Markup empty(String element, String... attributes) {
    start(element, attributes).append("/>\n");
    return this;
  }

  /** An element with a text. */
  public Markup element(String element, String content, String... attributes) {
    start(element, attributes).append('>');
    escape(content);
    text.append("</").append(element).append(">\n");
    return this;
  }

  /**
   * A style sheet, which HTML reads as it stands and SVG as XML.
   *
   * @throws IllegalArgumentException if the two would read it differently
   */
  public Markup style(String css) {
    if (css.contains("<") || css.contains("&")) {
      throw new IllegalArgumentException("a style sheet must have no < and no &");
    }
    text.append("<style>").append(css).append("</style>\n");
    return this;
  }

  /** All that was written. */
  public String finish() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return text.toString();
  }

  private StringBuilder start(String element, String... attributes) {
    text.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]).append("=\"");
      escape(Objects.requireNonNull(attributes[i + 1], attributes[i]));
      text.append('"');
    }
    return text;
  }

  private void escape(String raw) {
    raw.codePoints()
        .forEach(
            character -> {
              switch (character) {
                case '&' -> text.append("&amp;");
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '"' -> text.append("&quot;");
                case '\'' -> text.append("&#39;");
                default -> text.appendCodePoint(isText(character) ? character : 0xFFFD);
              }
            });
  }

  /** OneLine's characters, which XML 1.0 and HTML admit too, and the line break. */
  private static boolean isText(int character) {
    return character == '\n' || OneLine.isShown(character);
  }
}
