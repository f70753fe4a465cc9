package io.numaspark.cli;

import java.util.List;

/** Rows of text, aligned in columns; the first row is the heading. */
final class TextColumns {
  private TextColumns() {}

  /** The rows as lines; an empty cell shows as a dash. */
  static String print(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    rows.forEach(
        row -> {
          for (int i = 0; i < columns; i++) {
            widths[i] = Math.max(widths[i], Math.max(1, row.get(i).length()));
          }
        });
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = row.get(i).isEmpty() ? "-" : row.get(i);
        line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
