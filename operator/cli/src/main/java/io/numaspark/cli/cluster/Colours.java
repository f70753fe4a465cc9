package io.numaspark.cli.cluster;

import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Help.Ansi;

/** Colours words of tables, on terminals only; NO_COLOR switches them off there, too. */
final class Colours {
  private static final Map<String, Set<String>> WORDS =
      Map.of(
          "red", Set.of("FAILED", "SUBMISSION_FAILED", "False", "Error", "silent", "no"),
          "yellow",
              Set.of(
                  "NEW", "PENDING_RERUN", "UNKNOWN", "SUSPENDED", "Unknown", "Warning", "missing"),
          "green", Set.of("RUNNING", "COMPLETED", "True", "reporting", "yes"));

  private Colours() {}

  /** The cell, coloured if it is one of the words that have a colour. */
  static String of(String cell) {
    for (Map.Entry<String, Set<String>> colour : WORDS.entrySet()) {
      if (colour.getValue().contains(cell)) {
        return Ansi.AUTO.string("@|" + colour.getKey() + " " + cell + "|@");
      }
    }
    return cell;
  }
}
