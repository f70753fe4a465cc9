package io.numaspark.sparkbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Compares two results row by row, as sets with repetition: the types and all values exactly,
 * doubles with a relative tolerance, because a sum of doubles depends on the order in which a
 * shuffle delivers them. TPC-H here has decimals only, so there it is exact.
 */
final class RowComparison {

  private static final double TOLERANCE = 1e-9;
  private static final String DOUBLE = "Double:";

  private RowComparison() {}

  /**
   * @return the first difference in words; empty when there is none
   */
  static Optional<String> difference(Path expected, Path actual) throws IOException {
    return difference(Files.readAllLines(expected), Files.readAllLines(actual));
  }

  static Optional<String> difference(List<String> expected, List<String> actual) {
    if (expected.size() != actual.size()) {
      return Optional.of(expected.size() + " rows expected, " + actual.size() + " found");
    }
    // By the exact fields first, so that a double's last digit does not change the order.
    Comparator<String> order =
        Comparator.comparing(RowComparison::exactFields).thenComparing(line -> line);
    List<String> left = expected.stream().sorted(order).toList();
    List<String> right = actual.stream().sorted(order).toList();
    for (int i = 0; i < left.size(); i++) {
      if (!same(left.get(i).split("\u001f"), right.get(i).split("\u001f"))) {
        return Optional.of(
            "row "
                + (i + 1)
                + " of the sorted rows: expected "
                + left.get(i)
                + ", found "
                + right.get(i));
      }
    }
    return Optional.empty();
  }

  private static String exactFields(String line) {
    StringBuilder exact = new StringBuilder();
    for (String field : line.split("\u001f")) {
      exact.append(field.startsWith(DOUBLE) ? "" : field).append('\u001f');
    }
    return exact.toString();
  }

  private static boolean same(String[] expected, String[] actual) {
    if (expected.length != actual.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      boolean equal = expected[i].equals(actual[i]);
      if (!equal
          && !(expected[i].startsWith(DOUBLE)
              && actual[i].startsWith(DOUBLE)
              && near(expected[i], actual[i]))) {
        return false;
      }
    }
    return true;
  }

  private static boolean near(String expected, String actual) {
    double a = Double.parseDouble(expected.substring(DOUBLE.length()));
    double b = Double.parseDouble(actual.substring(DOUBLE.length()));
    return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
  }
}
