package io.numaspark.controller.config;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The environment variables of a process that are numaspark's settings.
 *
 * <p>Limit: a variable that is empty has that value, as far as it is one.
 */
record Environment(Map<String, String> variables) {
  static final String PREFIX = "NUMASPARK_";

  /** Read by log4j2.xml, before there is anybody who could complain. */
  private static final Map<String, List<String>> LOGGING =
      Map.of(
          PREFIX + "LOG_LEVEL", List.of("error", "warn", "info", "debug", "trace"),
          PREFIX + "LOG_LIBRARIES_LEVEL", List.of("error", "warn", "info", "debug"),
          PREFIX + "LOG_FORMAT", List.of("text", "json"));

  /**
   * The environment of a process.
   *
   * @param known settings of the process, beside those of its log
   * @throws IllegalArgumentException if there is an unknown one, or one of the log has a bad value
   */
  static Environment of(Map<String, String> variables, Set<String> known) {
    Set<String> all = new TreeSet<>(known);
    all.addAll(LOGGING.keySet());
    Set<String> unknown =
        variables.keySet().stream()
            .filter(key -> key.startsWith(PREFIX) && !all.contains(key))
            .collect(Collectors.toCollection(TreeSet::new));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("unknown settings " + unknown + "; known are " + all);
    }
    Environment environment = new Environment(variables);
    LOGGING.forEach(
        (key, words) -> {
          if (environment.has(key)) {
            environment.word(key, words, words.get(0));
          }
        });
    return environment;
  }

  boolean has(String key) {
    return variables.containsKey(key);
  }

  String text(String key, String absent) {
    return variables.getOrDefault(key, absent);
  }

  /** A text that is not blank. */
  Optional<String> given(String key) {
    return Optional.ofNullable(variables.get(key)).filter(value -> !value.isBlank());
  }

  /** A text that has to be there. */
  String required(String key) {
    return given(key)
        .orElseThrow(() -> new IllegalArgumentException(key + " is missing; the chart sets it"));
  }

  String word(String key, List<String> words, String absent) {
    String word = text(key, absent);
    if (!words.contains(word)) {
      throw new IllegalArgumentException(
          "%s is '%s', but must be one of %s".formatted(key, word, String.join(", ", words)));
    }
    return word;
  }

  /** Names with commas between them. */
  Set<String> names(String key) {
    return Arrays.stream(text(key, "").split(","))
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  boolean flag(String key, boolean absent) {
    String text = text(key, String.valueOf(absent));
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(key + " is '" + text + "', but must be true or false");
    }
    return text.equals("true");
  }

  /** A number from 1 on. */
  int number(String key, int absent, int most) {
    String text = text(key, String.valueOf(absent));
    if (!text.matches("[1-9][0-9]{0,5}") || Integer.parseInt(text) > most) {
      throw new IllegalArgumentException(
          key + " is '" + text + "', but must be a number from 1 to " + most);
    }
    return Integer.parseInt(text);
  }

  /** A port that is none of those that other settings have. */
  int otherPort(String key, int absent, Map<String, Integer> taken) {
    int port = number(key, absent, 65535);
    taken.forEach(
        (other, its) -> {
          if (its == port) {
            throw new IllegalArgumentException(
                "%s and %s are both %d; give two ports".formatted(other, key, port));
          }
        });
    return port;
  }
}
