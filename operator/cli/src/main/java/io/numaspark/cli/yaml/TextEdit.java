package io.numaspark.cli.yaml;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One replacement in a text; everything outside of it stays as it is.
 *
 * @param start first UTF-16 index that is replaced
 * @param end index after the last one; equal to start for an insertion
 */
public record TextEdit(int start, int end, String replacement) {

  /** Insertions come before a deletion that begins where they stand. */
  private static final Comparator<TextEdit> ORDER =
      Comparator.comparingInt(TextEdit::start).thenComparingInt(TextEdit::end);

  /**
   * The text after all edits; insertions at the same place keep their order in the list.
   *
   * @return empty if two edits overlap
   */
  public static Optional<String> apply(String text, List<TextEdit> edits) {
    StringBuilder result = new StringBuilder();
    int copied = 0;
    for (TextEdit edit : edits.stream().sorted(ORDER).toList()) {
      if (edit.start < copied) {
        return Optional.empty();
      }
      result.append(text, copied, edit.start).append(edit.replacement);
      copied = edit.end;
    }
    return Optional.of(result.append(text, copied, text.length()).toString());
  }
}
