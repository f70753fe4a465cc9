package io.numaspark.render.picture;

import java.util.ArrayList;
import java.util.List;

/**
 * The place below a box where a holder that is pointed at or focused tells of itself; nothing else
 * is drawn there, so nothing is hidden, and no script is needed.
 */
final class DetailPanel {
  private static final int LINE = 14;
  private static final int PADDING = 6;
  private static final int FONT = 11;

  /** Of a reason that takes more, the notes and the table have the rest. */
  private static final int MOST_LINES = 7;

  private final String rest;
  private final int width;
  private final int height;

  /**
   * A panel.
   *
   * @param rest what it says as long as no holder is looked at
   */
  DetailPanel(List<CpuHolder> holders, String rest, int width) {
    this.rest = rest;
    this.width = width;
    int lines = wrapped(rest).size();
    for (CpuHolder holder : holders) {
      lines = Math.max(lines, lines(holder).size());
    }
    this.height = lines == 0 ? 0 : lines * LINE + PADDING;
  }

  int height() {
    return height;
  }

  /** What it says as long as no holder is looked at. */
  void writeRest(Markup out, int x, int y) {
    List<String> lines = wrapped(rest);
    for (int i = 0; i < lines.size(); i++) {
      line(out, lines.get(i), "muted", x, y, i);
    }
  }

  /** What it says of a holder, as a part of the holder's own group. */
  void writeTip(Markup out, CpuHolder holder, int x, int y) {
    out.open("g", "class", "tip", "aria-hidden", "true");
    out.empty(
        "rect",
        "class",
        "panel",
        "x",
        String.valueOf(x),
        "y",
        String.valueOf(y),
        "width",
        String.valueOf(width),
        "height",
        String.valueOf(height));
    List<String> lines = lines(holder);
    for (int i = 0; i < lines.size(); i++) {
      line(out, lines.get(i), i == 0 ? "label" : "tipline", x, y, i);
    }
    out.close();
  }

  private static void line(Markup out, String text, String style, int x, int y, int index) {
    out.element(
        "text",
        text,
        "class",
        style,
        "x",
        String.valueOf(x + PADDING),
        "y",
        String.valueOf(y + (index + 1) * LINE));
  }

  private List<String> lines(CpuHolder holder) {
    List<String> lines = new ArrayList<>(wrapped(holder.title()));
    holder.facts().forEach(fact -> lines.addAll(wrapped(fact)));
    return TextLines.atMost(MOST_LINES, lines);
  }

  private List<String> wrapped(String text) {
    return text.isEmpty() ? List.of() : TextLines.wrap(text, width - 2 * PADDING, FONT);
  }
}
