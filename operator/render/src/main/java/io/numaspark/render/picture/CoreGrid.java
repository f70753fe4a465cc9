package io.numaspark.render.picture;

import io.numaspark.render.picture.NodePicture.CacheBox;
import io.numaspark.render.picture.NodePicture.Cell;
import io.numaspark.render.picture.NodePicture.CoreBox;
import io.numaspark.render.picture.NodePicture.CpuUse;
import io.numaspark.render.picture.NodePicture.HeldBy;
import io.numaspark.render.picture.NodePicture.NumaBox;
import io.numaspark.render.picture.NodePicture.Unheld;
import io.numaspark.render.picture.Rows.Size;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where caches, cores and threads of a NUMA node are drawn: a core is a column of its threads below
 * a strip for a label, and neighbours with the same use are one run.
 */
final class CoreGrid {
  private static final int CELL_WIDTH = 26;

  /** Cells of a NUMA node with few cores; names fit on its holders then. */
  private static final int WIDE_CELL = 44;

  /** What the cells of a narrow NUMA node are widened to take together. */
  private static final int WIDENED = 8 * CELL_WIDTH;

  static final int CELL_HEIGHT = 16;
  static final int LABEL_HEIGHT = 15;
  static final int PADDING = 5;
  static final int GAP = 4;

  /** Threads that are drawn in one column; cores with more have two columns. */
  private static final int COLUMN_OF_THREADS = 2;

  private final List<CacheFrame> caches = new ArrayList<>();
  private final List<PlacedCell> cells = new ArrayList<>();
  private final Map<CpuUse, List<Rect>> runs = new LinkedHashMap<>();
  private final List<Initials> initials = new ArrayList<>();
  private final int cellWidth;
  private final int coreWidth;
  private final int coreHeight;
  private final Rows rows;

  /** A cache domain. */
  record CacheFrame(CacheBox cache, Rect rect) {}

  /** A thread. */
  record PlacedCell(Cell cell, Rect rect) {}

  /** What stands above a core that has several uses. */
  record Initials(String text, Rect rect) {}

  private CoreGrid(NumaBox box, int maxWidth) {
    int threads =
        box.caches().stream()
            .flatMap(cache -> cache.cores().stream())
            .mapToInt(core -> core.cells().size())
            .max()
            .orElse(1);
    this.cellWidth = cellWidth(box, columns(threads));
    this.coreWidth = columns(threads) * cellWidth;
    this.coreHeight =
        LABEL_HEIGHT + (threads + columns(threads) - 1) / columns(threads) * CELL_HEIGHT;
    int mostCores = box.caches().stream().mapToInt(cache -> cache.cores().size()).max().orElse(0);
    Rows largest = coreRows(mostCores, maxWidth);
    Size frame = new Size(largest.width() + 2 * PADDING, LABEL_HEIGHT + largest.height() + PADDING);
    this.rows = Rows.even(box.caches().size(), frame, maxWidth, GAP);
    for (int i = 0; i < box.caches().size(); i++) {
      place(box.caches().get(i), rows.boxes().get(i), maxWidth);
    }
  }

  /** The grid of a NUMA node that is at most so wide, or as wide as one core. */
  static CoreGrid of(NumaBox box, int maxWidth) {
    return new CoreGrid(box, maxWidth);
  }

  /** The most that so many columns of threads take. */
  static int widthOf(int columns) {
    return columns * CELL_WIDTH + 2 * PADDING;
  }

  int width() {
    return Math.max(0, rows.width());
  }

  int height() {
    return rows.height();
  }

  List<CacheFrame> caches() {
    return caches;
  }

  List<PlacedCell> cells() {
    return cells;
  }

  List<Initials> initials() {
    return initials;
  }

  /** Where the CPUs of each use are, in the order of the first ones. */
  Map<CpuUse, List<Rect>> runs() {
    return runs;
  }

  private static int cellWidth(NumaBox box, int columnsOfCore) {
    if (box.caches().size() != 1) {
      return CELL_WIDTH;
    }
    int columns = box.caches().get(0).cores().size() * columnsOfCore;
    return Math.max(CELL_WIDTH, Math.min(WIDE_CELL, WIDENED / columns));
  }

  private static int columns(int threads) {
    return threads <= COLUMN_OF_THREADS ? 1 : 2;
  }

  private Rows coreRows(int cores, int maxWidth) {
    Rows even = Rows.even(cores, new Size(coreWidth, coreHeight), maxWidth - 2 * PADDING, 0);
    int lines = even.height() / coreHeight;
    List<Rect> apart =
        even.boxes().stream()
            .map(b -> new Rect(b.x(), b.y() + b.y() / coreHeight * GAP, b.width(), b.height()))
            .toList();
    return new Rows(apart, even.width(), even.height() + Math.max(0, lines - 1) * GAP);
  }

  private void place(CacheBox cache, Rect frame, int maxWidth) {
    caches.add(new CacheFrame(cache, frame));
    CpuUse before = null;
    int rowBefore = -1;
    List<Rect> boxes = coreRows(cache.cores().size(), maxWidth).boxes();
    for (int i = 0; i < boxes.size(); i++) {
      CoreBox core = cache.cores().get(i);
      Rect at = boxes.get(i);
      Rect rect =
          new Rect(
              frame.x() + PADDING + at.x(),
              frame.y() + LABEL_HEIGHT + at.y(),
              coreWidth,
              coreHeight);
      placeCells(core, rect);
      CpuUse use = core.isWhole() ? core.cells().get(0).use() : null;
      if (use != null) {
        addRun(use, rect, use.equals(before) && rowBefore == at.y());
      }
      before = use;
      rowBefore = at.y();
    }
  }

  private void placeCells(CoreBox core, Rect rect) {
    int columns = rect.width() / cellWidth;
    for (int i = 0; i < core.cells().size(); i++) {
      Cell cell = core.cells().get(i);
      Rect at =
          new Rect(
              rect.x() + i % columns * cellWidth,
              rect.y() + LABEL_HEIGHT + i / columns * CELL_HEIGHT,
              cellWidth,
              CELL_HEIGHT);
      cells.add(new PlacedCell(cell, at));
      if (!core.isWhole()) {
        addRun(cell.use(), at, false);
      }
    }
    if (!core.isWhole()) {
      String text =
          core.cells().stream()
              .map(cell -> initial(cell.use()))
              .distinct()
              .collect(Collectors.joining("/"));
      initials.add(new Initials(text, new Rect(rect.x(), rect.y(), rect.width(), LABEL_HEIGHT)));
    }
  }

  private void addRun(CpuUse use, Rect rect, boolean continues) {
    List<Rect> rects = runs.computeIfAbsent(use, key -> new ArrayList<>());
    if (continues) {
      rects.add(rects.remove(rects.size() - 1).and(rect));
    } else {
      rects.add(rect);
    }
  }

  private static String initial(CpuUse use) {
    if (use instanceof HeldBy held) {
      List<String> labels = held.holder().labels();
      return labels.get(labels.size() - 1);
    }
    return ((Unheld) use).initial();
  }
}
