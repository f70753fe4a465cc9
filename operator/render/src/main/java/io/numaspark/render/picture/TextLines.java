package io.numaspark.render.picture;

import java.util.ArrayList;
import java.util.List;

/**
 * Text in a box: how wide it is, and where its lines break.
 *
 * <p>Limit: fonts differ, so widths are those of a wide one; East Asian characters count twice.
 */
final class TextLines {
  /** Width of a character as a share of the font's size; of common sans-serif fonts 0.5 to 0.6. */
  private static final double WIDTH = 0.6;

  private TextLines() {}

  /** Width in pixels. */
  static int width(String text, int fontSize) {
    return (int) Math.ceil(columns(text) * WIDTH * fontSize);
  }

  /** Breaks a text at spaces and commas, and where it must within words. */
  static List<String> wrap(String text, int width, int fontSize) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split("(?<=[ ,/])")) {
      for (String part : parts(word, width, fontSize)) {
        if (line.length() > 0 && width((line + part).stripTrailing(), fontSize) > width) {
          lines.add(line.toString().stripTrailing());
          line.setLength(0);
        }
        line.append(part);
      }
    }
    if (line.length() > 0) {
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /** At most so many lines; the last one tells that there are more. */
  static List<String> atMost(int count, List<String> lines) {
    if (lines.size() <= count) {
      return lines;
    }
    List<String> kept = new ArrayList<>(lines.subList(0, count));
    kept.set(count - 1, kept.get(count - 1) + " …");
    return kept;
  }

  /** The first of the labels that fits, or the beginning of the last. */
  static String fitting(List<String> labels, int width, int fontSize) {
    for (String label : labels) {
      if (width(label, fontSize) <= width) {
        return label;
      }
    }
    String last = labels.get(labels.size() - 1);
    List<String> parts = parts(last, width - width("…", fontSize), fontSize);
    return parts.get(0) + "…";
  }

  /** A word in parts that are no wider than the given width, one character at least. */
  private static List<String> parts(String word, int width, int fontSize) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int character : word.codePoints().toArray()) {
      String next = Character.toString(character);
      if (part.length() > 0 && width((part + next).stripTrailing(), fontSize) > width) {
        parts.add(part.toString());
        part.setLength(0);
      }
      part.append(next);
    }
    parts.add(part.toString());
    return parts;
  }

  private static int columns(String text) {
    return text.codePoints().map(character -> character >= 0x2E80 ? 2 : 1).sum();
  }
}
