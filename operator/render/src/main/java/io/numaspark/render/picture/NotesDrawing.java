package io.numaspark.render.picture;

import io.numaspark.planner.plan.Finding.Severity;
import java.util.ArrayList;
import java.util.List;

/** Draws notes as lines of text, for SVG files, where text does not wrap by itself. */
final class NotesDrawing {
  private static final int LINE = 15;
  private static final int GAP = 8;
  private static final int FONT = 11;

  private final List<Line> lines = new ArrayList<>();

  /** A line and the space above it. */
  private record Line(String style, String text, int above) {}

  NotesDrawing(String heading, List<Note> notes, int width) {
    if (!notes.isEmpty()) {
      lines.add(new Line("h3", heading, 0));
    }
    for (Note note : notes) {
      String style = note.severity() == Severity.ERROR ? "label alarm" : "label";
      add(style, note.heading(), GAP, width);
      add("message", note.message(), 0, width);
      if (!note.remedy().isEmpty()) {
        add("muted", "Remedy: " + note.remedy(), 0, width);
      }
    }
  }

  private void add(String style, String text, int above, int width) {
    int space = above;
    for (String line : TextLines.wrap(text, width, FONT)) {
      lines.add(new Line(style, line, space));
      space = 0;
    }
  }

  int height() {
    return lines.stream().mapToInt(line -> LINE + line.above()).sum();
  }

  /** Draws them with the upper left corner at 0, 0. */
  void write(Markup out) {
    Shapes shapes = new Shapes(out);
    int y = 0;
    for (Line line : lines) {
      y += LINE + line.above();
      shapes.text(line.style(), line.text(), 0, y - 3);
    }
  }
}
