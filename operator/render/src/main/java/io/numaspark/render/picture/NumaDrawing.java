package io.numaspark.render.picture;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.picture.CoreGrid.CacheFrame;
import io.numaspark.render.picture.CoreGrid.Initials;
import io.numaspark.render.picture.CoreGrid.PlacedCell;
import io.numaspark.render.picture.NodePicture.HeldBy;
import io.numaspark.render.picture.NodePicture.NumaBox;
import io.numaspark.render.picture.NodePicture.Unheld;
import io.numaspark.render.text.MemorySize;
import java.util.List;

/** Draws one NUMA node; SVG files put many of them into one drawing, pages flow them. */
final class NumaDrawing {
  private static final int PADDING = 8;
  private static final int HEADING = 24;
  private static final int LEAST_WIDTH = 234;
  private static final int LABEL_FONT = 10;

  /** Bold characters of 10 pixels are as wide as others of 12. */
  private static final int BOLD_FONT = 12;

  private final NumaBox box;
  private final ApplicationColours colours;
  private final int width;
  private final CoreGrid grid;
  private final MemoryBar memory;
  private final List<String> memoryLines;
  private final DetailPanel panel;

  /**
   * A drawing.
   *
   * @param width what {@link #widthOf} says, or more
   */
  NumaDrawing(NumaBox box, ApplicationColours colours, int width) {
    this.box = box;
    this.colours = colours;
    this.width = width;
    this.grid = CoreGrid.of(box, inner());
    this.memory = new MemoryBar(box);
    this.memoryLines = TextLines.wrap(memory.text(), inner(), LABEL_FONT);
    String rest = box.limitedBy().isEmpty() ? "" : "No further slot: " + box.limitedBy();
    this.panel = new DetailPanel(box.holders(), rest, inner());
  }

  /** Width of a NUMA node with rows of at most so many columns of threads. */
  static int widthOf(NumaBox box, int columns) {
    return Math.max(LEAST_WIDTH, CoreGrid.of(box, CoreGrid.widthOf(columns)).width() + 2 * PADDING);
  }

  int width() {
    return width;
  }

  int height() {
    return panelTop() + panel.height() + PADDING;
  }

  /** What it is, in a sentence. */
  String spoken() {
    return "NUMA node %d, %s of memory, %d CPUs"
        .formatted(box.id(), MemorySize.toQuantity(box.memory().bytes()), box.cells().size());
  }

  /** Draws it with its upper left corner at 0, 0. */
  void write(Markup out) {
    Shapes shapes = new Shapes(out);
    shapes.rect("box", new Rect(0, 0, width, height()), 5);
    shapes.text("h3", "NUMA node " + box.id(), PADDING, 17);
    shapes.text("muted end", MemorySize.toQuantity(box.memory().bytes()), width - PADDING, 17);
    for (int i = 0; i < memoryLines.size(); i++) {
      shapes.text("muted small", memoryLines.get(i), PADDING, memoryTop() + 24 + i * 13);
    }
    memory.write(out, colours, new Rect(PADDING, memoryTop(), inner(), MemoryBar.HEIGHT));
    panel.writeRest(out, PADDING, panelTop());
    shapes.openAt(PADDING, HEADING);
    grid.caches().forEach(frame -> write(shapes, frame));
    grid.runs()
        .forEach(
            (use, rects) -> {
              if (use instanceof Unheld unheld) {
                write(out, unheld, rects);
              }
            });
    out.open("g", "class", "holders");
    grid.runs()
        .forEach(
            (use, rects) -> {
              if (use instanceof HeldBy held) {
                write(out, held.holder(), rects);
              }
            });
    out.close();
    numbers(out);
    out.close();
  }

  private int inner() {
    return width - 2 * PADDING;
  }

  private int memoryTop() {
    return HEADING + grid.height() + (grid.height() == 0 ? 0 : PADDING);
  }

  private int panelTop() {
    return memoryTop() + MemoryBar.HEIGHT + memoryLines.size() * 13 + 8;
  }

  private static void write(Shapes shapes, CacheFrame frame) {
    shapes.rect("llc", frame.rect(), 3);
    CpuSet cpus = frame.cache().cpus();
    List<String> names =
        cpus.isEmpty()
            ? List.of("last-level cache not known", "LLC not known", "LLC ?")
            : List.of(
                "last-level cache of CPUs " + cpus, "LLC of CPUs " + cpus, "LLC " + cpus, "LLC");
    String name = TextLines.fitting(names, frame.rect().width() - 2 * CoreGrid.PADDING, LABEL_FONT);
    shapes.text("muted small", name, frame.rect().x() + CoreGrid.PADDING, frame.rect().y() + 12);
  }

  private void write(Markup out, Unheld unheld, List<Rect> rects) {
    String cpus = unheld.word() + " CPUs " + box.held(unheld) + ", " + unheld.meaning();
    out.open("g", "class", unheld.style(), "role", "img", "aria-label", cpus);
    out.element("title", cpus);
    faces(out, List.of(unheld.word(), unheld.initial()), rects);
    out.close();
  }

  private void write(Markup out, CpuHolder holder, List<Rect> rects) {
    new Shapes(out).openHolder(holder, colours);
    faces(out, holder.labels(), rects);
    panel.writeTip(out, holder, 0, panelTop() - HEADING);
    out.close();
  }

  /** The areas of one use, each with as much of its name as it has room for. */
  private static void faces(Markup out, List<String> labels, List<Rect> rects) {
    Shapes shapes = new Shapes(out);
    for (Rect rect : rects) {
      shapes.rect(
          "face", new Rect(rect.x() + 2, rect.y() + 1, rect.width() - 4, rect.height() - 2), 3);
      if (rect.height() > CoreGrid.CELL_HEIGHT) {
        String label = TextLines.fitting(labels, rect.width() - 4, BOLD_FONT);
        shapes.text("label", label, rect.x() + 4, rect.y() + 12);
      }
    }
  }

  private void numbers(Markup out) {
    out.open("g", "class", "cpu", "aria-hidden", "true");
    for (PlacedCell placed : grid.cells()) {
      String style = placed.cell().use() instanceof Unheld unheld ? "on-" + unheld.style() : "on";
      number(out, style, String.valueOf(placed.cell().cpu()), placed.rect());
    }
    for (Initials initials : grid.initials()) {
      number(out, "label", initials.text(), initials.rect());
    }
    out.close();
  }

  private static void number(Markup out, String style, String text, Rect rect) {
    out.element(
        "text",
        text,
        "class",
        style,
        "x",
        String.valueOf(rect.x() + rect.width() / 2),
        "y",
        String.valueOf(rect.y() + 12));
  }
}
