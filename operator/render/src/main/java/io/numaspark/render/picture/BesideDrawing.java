package io.numaspark.render.picture;

import io.numaspark.render.picture.Rows.Size;
import java.util.List;

/** Draws the holders that are on no CPU of their node, such as executors in the shared pool. */
final class BesideDrawing {
  private static final int PADDING = 8;
  private static final int HEADING = 26;
  private static final int FONT = 12;
  private static final Size CHIP = new Size(150, 24);

  private final List<CpuHolder> holders;
  private final ApplicationColours colours;
  private final int width;
  private final Rows rows;
  private final DetailPanel panel;

  BesideDrawing(List<CpuHolder> holders, ApplicationColours colours, int width) {
    this.holders = holders;
    this.colours = colours;
    this.width = width;
    this.rows =
        Rows.of(holders.stream().map(holder -> CHIP).toList(), width - 2 * PADDING, CoreGrid.GAP);
    this.panel = new DetailPanel(holders, "", width - 2 * PADDING);
  }

  /** What it is. */
  static String heading() {
    return "Without CPUs of their own";
  }

  int width() {
    return width;
  }

  int height() {
    return HEADING + rows.height() + CoreGrid.GAP + panel.height() + PADDING;
  }

  /** Draws it with its upper left corner at 0, 0. */
  void write(Markup out) {
    Shapes shapes = new Shapes(out);
    shapes.rect("box", new Rect(0, 0, width, height()), 5);
    shapes.text("h3", heading(), PADDING, 17);
    shapes.openAt(PADDING, HEADING);
    out.open("g", "class", "holders");
    for (int i = 0; i < holders.size(); i++) {
      write(out, holders.get(i), rows.boxes().get(i));
    }
    out.close();
    out.close();
  }

  private void write(Markup out, CpuHolder holder, Rect rect) {
    Shapes shapes = new Shapes(out);
    shapes.openHolder(holder, colours);
    shapes.rect(
        "face", new Rect(rect.x() + 1, rect.y() + 1, rect.width() - 2, rect.height() - 2), 3);
    shapes.text(
        "label",
        TextLines.fitting(holder.labels(), rect.width() - 10, FONT),
        rect.x() + 6,
        rect.y() + 16);
    panel.writeTip(out, holder, 0, rows.height() + CoreGrid.GAP);
    out.close();
  }
}
