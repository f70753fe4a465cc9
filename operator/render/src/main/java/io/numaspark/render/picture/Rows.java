package io.numaspark.render.picture;

import java.util.ArrayList;
import java.util.List;

/** Boxes from left to right in rows, as words in a paragraph. */
record Rows(List<Rect> boxes, int width, int height) {
  Rows {
    boxes = List.copyOf(boxes);
  }

  /** Width and height of a box. */
  record Size(int width, int height) {}

  /** Places boxes with a gap between them; a box that is wider than all gets a row of its own. */
  static Rows of(List<Size> sizes, int maxWidth, int gap) {
    List<Rect> boxes = new ArrayList<>();
    int x = 0;
    int y = 0;
    int rowHeight = 0;
    int width = 0;
    for (Size size : sizes) {
      if (x > 0 && x + size.width() > maxWidth) {
        x = 0;
        y += rowHeight + gap;
        rowHeight = 0;
      }
      boxes.add(new Rect(x, y, size.width(), size.height()));
      x += size.width() + gap;
      width = Math.max(width, x - gap);
      rowHeight = Math.max(rowHeight, size.height());
    }
    return new Rows(boxes, width, y + rowHeight);
  }

  /** Places equal boxes in as few rows as the width needs, all rows of about the same length. */
  static Rows even(int count, Size size, int maxWidth, int gap) {
    int most = Math.max(1, (maxWidth + gap) / (size.width() + gap));
    int rows = (count + most - 1) / most;
    int inRow = rows == 0 ? 0 : (count + rows - 1) / rows;
    return of(java.util.Collections.nCopies(count, size), inRow * (size.width() + gap) - gap, gap);
  }
}
