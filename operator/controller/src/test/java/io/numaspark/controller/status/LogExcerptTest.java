package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogExcerptTest {
  /** A line of 300 KB once took 10 s, and one of twice the length four times as long. */
  private static final Duration BOUND = Duration.ofSeconds(20);

  private static final int LONG = 5_000_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "is forbidden: User ",
        " is forbidden: User  cannot",
        "\" is forbidden",
        "a",
        "a \"",
        " ",
        "Exception",
        "Error_",
        "26/11/21 08:00:00 INFO",
        "+ ",
        "\t",
        "\n",
        "\r",
        "Error: \n",
        "\u0000"
      })
  void noLogTakesLong(String unit) {
    String log = unit.repeat(LONG / unit.length());
    assertTimeoutPreemptively(
        BOUND,
        () -> {
          LogExcerpt.forbidden(log);
          assertThat(LogExcerpt.lastWords(log)).hasSizeLessThan(5 * 410);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Message: pods \"a\" is forbidden: User \"u\" cannot create | pods \"a\" is forbidden: User"
            + " \"u\" cannot create",
        "\"a\" is forbidden: User \"u\" cannot create | \"a\" is forbidden: User \"u\" cannot"
            + " create",
        "x is forbidden: User \"u\" cannot create | x is forbidden: User \"u\" cannot create",
        "pods is forbidden: User u cannot list | pods is forbidden: User u cannot list"
      })
  void aRefusalIsQuotedFromTheKindOfItsObject(String line, String refusal) {
    assertThat(LogExcerpt.forbidden("before\n" + line + "\nafter")).contains(refusal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pods is forbidden: because",
        "is forbidden: User u may not",
        "User u cannot x is forbidden: User u"
      })
  void whatIsNoRefusalIsNotQuoted(String line) {
    assertThat(LogExcerpt.forbidden(line)).isEmpty();
  }

  @Test
  void framesRoutineAndTracesOfTheEntryPointAreLeftOut() {
    assertThat(
            LogExcerpt.lastWords(
                """
                + exec java
                26/11/21 08:00:00 INFO SparkContext: starts
                plain words
                26/11/21 08:00:00 INFORMAL: not routine
                """))
        .isEqualTo("; its last words: plain words | 26/11/21 08:00:00 INFORMAL: not routine");
    assertThat(
            LogExcerpt.lastWords(
                """
                java.lang.OldError: earlier
                Exception in thread "main" java.lang.IllegalStateException: a
                \tat a.B.c(B.java:1)
                Caused by: x.MyError
                \t... 3 more
                Errors are many
                """))
        .isEqualTo(
            "; its last words: Exception in thread \"main\" java.lang.IllegalStateException: a"
                + " | Caused by: x.MyError");
  }

  @Test
  void whatIsQuotedIsOneLineWithoutControls() {
    assertThat(LogExcerpt.lastWords("Error: \u001b[2Jred\u202e" + "x".repeat(1000)))
        .startsWith("; its last words: Error:  [2Jred x")
        .endsWith("x…")
        .hasSizeLessThan(430);
  }
}
