package io.numaspark.schema;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A part of an object that the API server would refuse.
 *
 * @param field path of the field, for example {@code spec.numaNodes[0].id}
 * @param problem what is wrong with the field
 * @param message the API server's text, which begins with a field
 */
public record Violation(String field, String problem, String message) {
  private static final int MOST = 10;

  Violation(String field, String problem) {
    this(field, problem, field + ": " + problem);
  }

  /** All of them as the API server prints them, up to ten. */
  public static String text(List<Violation> violations) {
    return violations.size() == 1
        ? violations.get(0).message()
        : violations.stream()
            .limit(MOST)
            .map(Violation::message)
            .collect(Collectors.joining(", ", "[", violations.size() > MOST ? ", ...]" : "]"));
  }
}
