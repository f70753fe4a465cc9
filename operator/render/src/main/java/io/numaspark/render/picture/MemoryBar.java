package io.numaspark.render.picture;

import io.numaspark.render.picture.NodePicture.MemoryBox;
import io.numaspark.render.picture.NodePicture.NumaBox;
import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The memory of a NUMA node: what is reserved, what holders take, what is left to other pods. The
 * page cache of a holder is half as high as the rest of it.
 */
final class MemoryBar {
  static final int HEIGHT = 12;

  private final MemoryBox memory;
  private final List<CpuHolder> holders;

  MemoryBar(NumaBox box) {
    this.memory = box.memory();
    // Where a holder that spans NUMA nodes has its memory is not known.
    this.holders =
        box.holders().stream()
            .filter(holder -> box.held(new NodePicture.HeldBy(holder)).equals(holder.cpus()))
            .toList();
  }

  /** In words; less than a MiB is left out. */
  String text() {
    List<String> parts = new ArrayList<>();
    long taken = holders.stream().mapToLong(CpuHolder::podBytes).sum();
    long pageCache = holders.stream().mapToLong(CpuHolder::pageCacheBytes).sum();
    if (taken > 0) {
      parts.add(people(taken) + " taken");
    }
    if (pageCache >= MemorySize.MIB) {
      parts.add(people(pageCache) + " of it page cache");
    }
    if (memory.reservedBytes() >= MemorySize.MIB) {
      parts.add(people(memory.reservedBytes()) + " reserved");
    }
    if (memory.strandedBytes() >= MemorySize.MIB) {
      parts.add(people(memory.strandedBytes()) + " left to other pods");
    }
    return "Memory: " + (parts.isEmpty() ? "all free" : String.join(", ", parts));
  }

  /** Bytes with one decimal, which is what a person compares. */
  private static String people(long bytes) {
    return bytes < MemorySize.GIB
        ? bytes / MemorySize.MIB + " MiB"
        : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) MemorySize.GIB);
  }

  /** Draws it; its text says the same, so readers of the screen need not see it. */
  void write(Markup out, ApplicationColours colours, Rect place) {
    Shapes shapes = new Shapes(out);
    out.open("g", "aria-hidden", "true");
    segment(shapes, "free", place, 0, memory.bytes());
    segment(shapes, "reserved", place, 0, memory.reservedBytes());
    int lowHeight = place.height() / 2;
    Rect low =
        new Rect(place.x(), place.y() + place.height() - lowHeight, place.width(), lowHeight);
    long from = memory.reservedBytes();
    for (CpuHolder holder : holders) {
      String style = colours.style(holder);
      long to = from + holder.podBytes();
      long cacheFrom = to - holder.pageCacheBytes();
      segment(shapes, style, place, from, cacheFrom);
      segment(shapes, style, low, cacheFrom, to);
      from = to;
    }
    segment(shapes, "stranded", place, memory.bytes() - memory.strandedBytes(), memory.bytes());
    out.close();
  }

  private void segment(Shapes shapes, String style, Rect place, long from, long to) {
    int left = pixels(from, place.width());
    int right = pixels(to, place.width());
    if (right > left) {
      shapes.group(style, new Rect(place.x() + left, place.y(), right - left, place.height()));
    }
  }

  private int pixels(long bytes, int width) {
    long most = Math.max(1, memory.bytes());
    return (int) Math.round((double) width * Math.min(bytes, most) / most);
  }
}
