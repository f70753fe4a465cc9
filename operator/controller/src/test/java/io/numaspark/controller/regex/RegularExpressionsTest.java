package io.numaspark.controller.regex;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.regex.RegularExpressions.Use;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No expression takes more than linear time, whatever it is given: specs, logs and answers are
 * others' texts. Characters that the matcher looks at are counted, so no clock decides.
 */
class RegularExpressionsTest {
  private static final int LENGTH = 100;
  private static final int LONG = 20_000;

  /** A text of twice the length may take twice as much; four times would be a square. */
  private static final double MOST_GROWTH = 3;

  /** What a matcher looks at in any case. */
  private static final int CONSTANT = 50;

  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));

  /** Counts what is looked at. */
  private static final class Counted implements CharSequence {
    private final String text;
    private long looks;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      looks++;
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  static Stream<Use> expressions() {
    return RegularExpressions.all(REPOSITORY);
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void takesLinearTime(Use use) {
    assertThat(worstGrowth(use)).as("growth of what %s looks at", use).isLessThan(MOST_GROWTH);
  }

  @Test
  void expressionsAreFound() {
    assertThat(expressions())
        .extracting(Use::regex)
        .contains("\\s+", "[0-9]{1,9}", "^.*\\.")
        .hasSizeGreaterThan(60);
  }

  @ParameterizedTest
  @CsvSource({
    "'is forbidden: User .* cannot ', true",
    "'\\s*,\\s*', true",
    "'(a+)+b', false",
    "'(\\d+)*x', false",
    "'.*?\\b(\\w+ \"[^\"]*\" is forbidden)', true"
  })
  void aWorseOneWouldBeFound(String regex, boolean isSearched) {
    assertThat(worstGrowth(new Use("here", regex, isSearched))).isGreaterThanOrEqualTo(MOST_GROWTH);
  }

  private static double worstGrowth(Use use) {
    Pattern pattern = Pattern.compile(use.regex());
    double worst = 0;
    for (String start : starts(use.regex())) {
      for (String unit : units(use.regex())) {
        for (String end : List.of("", "\u0001")) {
          long once = looks(pattern, use, text(start, unit, LENGTH) + end);
          long twice = looks(pattern, use, text(start, unit, 2 * LENGTH) + end);
          worst = Math.max(worst, (double) Math.max(0, twice - CONSTANT) / Math.max(1, once));
        }
        if (worst >= MOST_GROWTH) {
          return worst;
        }
        if (start.isEmpty() && unit.length() == 1) {
          looks(pattern, use, text(start, unit, LONG)); // The stack has to do.
        }
      }
    }
    return worst;
  }

  private static String text(String start, String unit, int length) {
    return start + unit.repeat(length / unit.length());
  }

  /** How many characters are looked at until the end. */
  private static long looks(Pattern pattern, Use use, String text) {
    Counted counted = new Counted(text);
    Matcher matcher = pattern.matcher(counted);
    if (!use.isSearched()) {
      matcher.matches();
      return counted.looks;
    }
    while (matcher.find()) {
      // All of them, as a replacement would.
    }
    return counted.looks;
  }

  /** Words of the expression itself bring a matcher furthest. */
  private static Set<String> starts(String regex) {
    Set<String> starts = new LinkedHashSet<>(List.of(""));
    words(regex).limit(2).forEach(starts::add);
    return starts;
  }

  private static Set<String> units(String regex) {
    List<String> characters =
        Stream.concat(
                Stream.of(" ", "a", "0"),
                regex
                    .chars()
                    .filter(c -> "\\[]{}()|*?^$".indexOf(c) < 0)
                    .mapToObj(Character::toString))
            .distinct()
            .limit(7)
            .toList();
    Set<String> units = new LinkedHashSet<>(characters);
    words(regex).limit(6).forEach(units::add);
    characters.forEach(one -> characters.forEach(other -> units.add(one + other)));
    return units;
  }

  private static Stream<String> words(String regex) {
    return Stream.of(regex.split("[^a-zA-Z0-9 :\"_-]+")).filter(word -> word.length() > 1);
  }
}
