package io.numaspark.sparkbench.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;

/**
 * Rows as text with the type of each value, one a line, fields separated by the unit separator
 * (0x1f).
 */
final class CanonicalRows {

  private static final String SEPARATOR = "\u001f";

  private CanonicalRows() {}

  static void write(List<Row> rows, Path file) throws IOException {
    Files.write(file, rows.stream().map(CanonicalRows::line).toList());
  }

  static String line(Row row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.length(); i++) {
      Object value = row.get(i);
      String type = value == null ? "null" : value.getClass().getSimpleName();
      // A line break inside a string would end the row.
      String text =
          String.valueOf(value).replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
      line.append(i == 0 ? "" : SEPARATOR).append(type).append(':').append(text);
    }
    return line.toString();
  }
}
