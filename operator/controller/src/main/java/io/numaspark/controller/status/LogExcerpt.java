package io.numaspark.controller.status;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The few lines of a driver's log that tell a person most. */
final class LogExcerpt {
  private static final int QUOTED_LINES = 5;
  private static final int QUOTED_LENGTH = 400;
  private static final Pattern FORBIDDEN = Pattern.compile("is forbidden: User .* cannot ");
  private static final Pattern UNCAUGHT =
      Pattern.compile("^(Exception in thread|Traceback |Error: )");
  private static final Pattern TELLING =
      Pattern.compile("\\b\\w*(Exception|Error|ERROR|FATAL|Traceback)\\b");
  private static final Pattern STACK_FRAME = Pattern.compile("\\s+(at |\\.\\.\\. ).*");

  /** Log4j's lines in Spark's pattern, and what the entry point of Spark's images traces. */
  private static final Pattern ROUTINE =
      Pattern.compile("^(\\S+ \\S+ (INFO|DEBUG|TRACE)\\b|\\+ ).*");

  private LogExcerpt() {}

  /** The API server's refusal that ended the driver, if one did. */
  static Optional<String> forbidden(String log) {
    return log.lines()
        .filter(line -> FORBIDDEN.matcher(line).find())
        .findFirst()
        .map(line -> line.replaceFirst(".*?\\b(\\w+ \"[^\"]*\" is forbidden)", "$1"))
        .map(LogExcerpt::shortened);
  }

  /** The last uncaught exception with its causes, else the last errors, else the last output. */
  static String lastWords(String log) {
    List<String> lines =
        log.lines()
            .filter(line -> !line.isBlank() && !STACK_FRAME.matcher(line).matches())
            .toList();
    int uncaught = lastIndex(lines, UNCAUGHT);
    List<String> telling =
        lines.subList(Math.max(0, uncaught), lines.size()).stream()
            .filter(line -> TELLING.matcher(line).find())
            .toList();
    List<String> candidates =
        telling.isEmpty()
            ? lines.stream().filter(line -> !ROUTINE.matcher(line).matches()).toList()
            : telling;
    List<String> told =
        uncaught >= 0
            ? candidates.stream().limit(QUOTED_LINES).toList()
            : candidates.subList(Math.max(0, candidates.size() - QUOTED_LINES), candidates.size());
    return told.isEmpty()
        ? ""
        : "; its last words: "
            + told.stream().map(LogExcerpt::shortened).collect(Collectors.joining(" | "));
  }

  private static int lastIndex(List<String> lines, Pattern pattern) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (pattern.matcher(lines.get(i)).find()) {
        return i;
      }
    }
    return -1;
  }

  private static String shortened(String line) {
    String trimmed = line.trim();
    return trimmed.length() <= QUOTED_LENGTH ? trimmed : trimmed.substring(0, QUOTED_LENGTH) + "…";
  }
}
