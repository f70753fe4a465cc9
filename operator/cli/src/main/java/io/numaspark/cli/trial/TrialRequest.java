package io.numaspark.cli.trial;

import java.util.ArrayList;
import java.util.List;

/**
 * What a user asked for.
 *
 * @param measured spark-submit and its arguments
 * @param arguments of the program, as they were given
 */
record TrialRequest(List<String> measured, List<String> arguments) {
  private static final String HEAP = "--heap";
  private static final String COMMAND = "--";

  TrialRequest {
    measured = List.copyOf(measured);
    arguments = List.copyOf(arguments);
  }

  /**
   * A command for a shell that measures the same again, later or somewhere else.
   *
   * @param heapMebibytes that were measured with: the default depends on what is free
   */
  String repeat(int heapMebibytes) {
    List<String> words = new ArrayList<>(List.of("numaspark"));
    arguments.stream().map(TrialRequest::quoted).forEach(words::add);
    int end = words.contains(COMMAND) ? words.indexOf(COMMAND) : words.size();
    boolean given =
        words.subList(0, end).stream()
            .anyMatch(word -> word.equals(HEAP) || word.startsWith(HEAP + "="));
    if (!given) {
      words.addAll(end, List.of(HEAP, Integer.toString(heapMebibytes)));
    }
    return String.join(" ", words);
  }

  private static String quoted(String word) {
    return word.matches("[-A-Za-z0-9_./:=,@%+]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
