package io.numaspark.render.picture;

import io.numaspark.render.picture.Legend.Entry;
import io.numaspark.render.picture.Rows.Size;
import java.util.List;

/**
 * A picture as one SVG file.
 *
 * <p>Limit: its width is fixed; on a narrow screen it is scaled down, where a page would wrap.
 */
public final class SvgPage {
  private static final int MARGIN = 16;
  private static final int MAX_WIDTH = 1200;
  private static final int LEAST_WIDTH = 640;
  private static final int LINE = 16;
  private static final int SWATCH = 14;
  private static final int FONT = 11;
  private static final int GAP_OF_LEGEND = 14;

  private final Picture picture;
  private final List<Entry> legend;
  private final List<NodeDrawing> nodes;
  private final int width;
  private final List<String> lead;
  private final Rows keys;
  private final NotesDrawing notes;

  private SvgPage(Picture picture) {
    this.picture = picture;
    ApplicationColours colours = ApplicationColours.of(picture.holders());
    this.legend = new Legend(picture, colours).entries();
    this.nodes =
        picture.nodes().stream().map(node -> new NodeDrawing(node, colours, MAX_WIDTH)).toList();
    this.width = nodes.stream().mapToInt(NodeDrawing::width).reduce(LEAST_WIDTH, Math::max);
    this.lead =
        picture.lead().stream()
            .flatMap(line -> TextLines.wrap(line, width, FONT).stream())
            .toList();
    this.keys =
        Rows.of(
            legend.stream()
                .map(entry -> new Size(TextLines.width(entry.text(), FONT) + SWATCH + 6, LINE))
                .toList(),
            width,
            GAP_OF_LEGEND);
    this.notes = new NotesDrawing("Notes", picture.notes(), width);
  }

  /** The text of the file. */
  public static String of(Picture picture) {
    return new SvgPage(picture).write();
  }

  private int legendTop() {
    return 32 + lead.size() * LINE;
  }

  private int notesTop() {
    return legendTop() + keys.height() + LINE;
  }

  private int nodesTop() {
    return notesTop() + notes.height() + (picture.notes().isEmpty() ? 0 : LINE);
  }

  private int height() {
    int ofNodes = nodes.stream().mapToInt(node -> node.height() + 2 * LINE).sum();
    return nodesTop() + ofNodes - LINE + 2 * MARGIN;
  }

  private String write() {
    Markup out = new Markup();
    Shapes shapes = new Shapes(out);
    out.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 %d %d".formatted(width + 2 * MARGIN, height()),
        "width",
        String.valueOf(width + 2 * MARGIN),
        "height",
        String.valueOf(height()),
        "lang",
        "en",
        "role",
        "group",
        "aria-labelledby",
        "picture-title picture-description");
    out.element("title", picture.title(), "id", "picture-title");
    out.element("desc", String.join(" ", picture.lead()), "id", "picture-description");
    out.style(StyleSheet.ofSvg());
    shapes.patterns();
    out.empty("rect", "class", "page", "width", "100%", "height", "100%");
    shapes.openAt(MARGIN, MARGIN);
    writeHead(out);
    int y = nodesTop();
    for (NodeDrawing node : nodes) {
      shapes.openAt(0, y);
      node.write(out);
      out.close();
      y += node.height() + 2 * LINE;
    }
    out.close();
    return out.close().finish();
  }

  private void writeHead(Markup out) {
    Shapes shapes = new Shapes(out);
    shapes.text("h1", TextLines.fitting(List.of(picture.title()), width, 18), 0, 18);
    for (int i = 0; i < lead.size(); i++) {
      shapes.text("lead", lead.get(i), 0, 38 + i * LINE);
    }
    shapes.openAt(0, legendTop());
    for (int i = 0; i < legend.size(); i++) {
      Rect at = keys.boxes().get(i);
      swatch(shapes, legend.get(i).style(), at.x(), at.y());
      shapes.text("key", legend.get(i).text(), at.x() + SWATCH + 5, at.y() + 11);
    }
    out.close();
    shapes.openAt(0, notesTop());
    notes.write(out);
    out.close();
  }

  /** A square that shows what a colour or pattern looks like. */
  static void swatch(Shapes shapes, String style, int x, int y) {
    shapes.group(style, new Rect(x + 1, y + 1, SWATCH - 2, SWATCH - 2));
  }
}
