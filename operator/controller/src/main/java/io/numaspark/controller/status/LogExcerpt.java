package io.numaspark.controller.status;

import io.numaspark.render.text.ForeignText;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The few lines of a driver's log that tell a person most.
 *
 * <p>A driver may write anything, so each line is looked at once, from left to right, and no
 * further than {@value #READ_LENGTH} characters; there are no regular expressions here.
 */
final class LogExcerpt {
  private static final int QUOTED_LINES = 5;
  private static final int QUOTED_LENGTH = 400;
  private static final int READ_LENGTH = 4096;
  private static final String FORBIDDEN = " is forbidden: User ";
  private static final List<String> UNCAUGHT =
      List.of("Exception in thread", "Traceback ", "Error: ");
  private static final List<String> TELLING =
      List.of("Exception", "Error", "ERROR", "FATAL", "Traceback");
  private static final List<String> STACK_FRAMES = List.of("at ", "... ");
  private static final List<String> ROUTINE = List.of("INFO", "DEBUG", "TRACE");

  private LogExcerpt() {}

  /** The API server's refusal that ended the driver, if one did. */
  static Optional<String> forbidden(String log) {
    return lines(log).filter(LogExcerpt::isRefusal).findFirst().map(LogExcerpt::refusal);
  }

  /** The last uncaught exception with its causes, else the last errors, else the last output. */
  static String lastWords(String log) {
    List<String> lines = lines(log).filter(line -> !line.isBlank() && !isStackFrame(line)).toList();
    int uncaught = lastIndex(lines, line -> UNCAUGHT.stream().anyMatch(line::startsWith));
    List<String> telling =
        lines.subList(Math.max(0, uncaught), lines.size()).stream()
            .filter(LogExcerpt::isTelling)
            .toList();
    List<String> candidates =
        telling.isEmpty() ? lines.stream().filter(line -> !isRoutine(line)).toList() : telling;
    List<String> told =
        uncaught >= 0
            ? candidates.stream().limit(QUOTED_LINES).toList()
            : candidates.subList(Math.max(0, candidates.size() - QUOTED_LINES), candidates.size());
    return told.isEmpty()
        ? ""
        : "; its last words: "
            + told.stream().map(LogExcerpt::shortened).collect(Collectors.joining(" | "));
  }

  private static Stream<String> lines(String log) {
    return log.lines()
        .map(line -> line.length() <= READ_LENGTH ? line : line.substring(0, READ_LENGTH));
  }

  private static boolean isRefusal(String line) {
    int refused = line.indexOf(FORBIDDEN);
    return refused >= 0 && line.indexOf(" cannot ", refused + FORBIDDEN.length() - 1) >= 0;
  }

  /** From the kind of what is forbidden, as in {@code pods "a" is forbidden}. */
  private static String refusal(String line) {
    int end = line.indexOf('"' + FORBIDDEN);
    int name = end < 0 ? -1 : line.lastIndexOf('"', end - 1);
    int kind = name;
    if (name > 0 && line.charAt(name - 1) == ' ') {
      kind = name - 1;
      while (kind > 0 && isWord(line.charAt(kind - 1))) {
        kind--;
      }
    }
    return shortened(line.substring(Math.max(0, kind)));
  }

  /** An indented "at" or "..." of a stack trace. */
  private static boolean isStackFrame(String line) {
    String frame = line.stripLeading();
    return frame.length() < line.length() && STACK_FRAMES.stream().anyMatch(frame::startsWith);
  }

  /** Whether one of the words is in the line, or ends a longer one. */
  private static boolean isTelling(String line) {
    return TELLING.stream().anyMatch(word -> hasWordEnding(line, word));
  }

  private static boolean hasWordEnding(String line, String ending) {
    for (int at = line.indexOf(ending); at >= 0; at = line.indexOf(ending, at + 1)) {
      if (isEnd(line, at + ending.length())) {
        return true;
      }
    }
    return false;
  }

  /** Log4j's lines in Spark's pattern, and what the entry point of Spark's images traces. */
  private static boolean isRoutine(String line) {
    int time = line.indexOf(' ') + 1;
    int level = line.indexOf(' ', time) + 1;
    return line.startsWith("+ ")
        || time > 1
            && level > time + 1
            && ROUTINE.stream()
                .anyMatch(
                    word -> line.startsWith(word, level) && isEnd(line, level + word.length()));
  }

  private static boolean isEnd(String line, int at) {
    return at >= line.length() || !isWord(line.charAt(at));
  }

  private static boolean isWord(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
  }

  private static int lastIndex(List<String> lines, Predicate<String> which) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (which.test(lines.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static String shortened(String line) {
    return ForeignText.line(line.trim(), QUOTED_LENGTH);
  }
}
