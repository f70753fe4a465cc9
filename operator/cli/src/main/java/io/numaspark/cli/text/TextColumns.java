package io.numaspark.cli.text;

import io.numaspark.render.text.OneLine;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Rows of text, aligned in columns; the first row is the heading. A cell is one line, whoever wrote
 * it.
 */
public final class TextColumns {
  private TextColumns() {}

  /** The rows as lines; an empty cell shows as a dash. */
  public static String print(List<List<String>> rows) {
    return print(rows, UnaryOperator.identity());
  }

  /**
   * The same with cells that are styled after they were aligned.
   *
   * @param style makes of a cell's text what is printed, of the same width
   */
  public static String print(List<List<String>> table, UnaryOperator<String> style) {
    List<List<String>> rows =
        table.stream().map(row -> row.stream().map(OneLine::of).toList()).toList();
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
        line.append(style.apply(cell)).append(" ".repeat(widths[i] - cell.length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
