package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainLogTest {
  private final PrintStream usual = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void end() {
    System.setErr(usual);
  }

  private String[] lines() {
    return written.toString(StandardCharsets.UTF_8).split("\n");
  }

  @Test
  void isWhatTheJdkGives() {
    System.Logger log = System.getLogger("io.numaspark.agent.Any");
    log.log(System.Logger.Level.WARNING, "again in {0} s: {1}", 30, "a 'quoted' {0} thing");
    log.log(System.Logger.Level.ERROR, "node {0}", "x".repeat(3));
    assertThat(lines()).hasSize(2);
    assertThat(lines()[0])
        .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z WARNING again in 30 s: a 'quoted' \\{0} thing");
    assertThat(lines()[1]).endsWith(" ERROR node xxx");
  }

  @Test
  void leavesOutWhatIsForDevelopers() {
    System.Logger log = System.getLogger("io.numaspark.agent.Any");
    log.log(System.Logger.Level.DEBUG, "small");
    log.log(System.Logger.Level.INFO, "started");
    assertThat(lines()).singleElement().asString().endsWith(" INFO started");
  }

  @Test
  void namesACauseWithoutItsTrace() {
    System.getLogger("io.numaspark.agent.Any")
        .log(System.Logger.Level.ERROR, "lost", new IOException("no route"));
    assertThat(lines())
        .singleElement()
        .asString()
        .endsWith(" ERROR lost: java.io.IOException: no route");
  }

  private static System.Logger logger(String... settings) {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      environment.put("NUMASPARK_LOG_" + settings[i], settings[i + 1]);
    }
    return new PlainLog(environment).getLogger("io.numaspark.agent.Any", null);
  }

  @Test
  void isAnObjectALineIfItIsToBeJson() throws IOException {
    System.Logger log = logger("FORMAT", "json");
    log.log(System.Logger.Level.WARNING, "said \"no\"\n\t\\ to {0}", "täglich");
    Map<String, Object> line = JSON.std.mapFrom(lines()[0]);
    assertThat(lines()).hasSize(1);
    assertThat(line).containsOnlyKeys("time", "level", "logger", "message");
    assertThat((String) line.get("time")).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
    assertThat(line)
        .containsEntry("level", "WARN")
        .containsEntry("logger", "io.numaspark.agent.Any")
        .containsEntry("message", "said \"no\"\\u000a\\u0009\\ to täglich");
  }

  /** Names of folders, words of servers: whatever is in them, it is the same line. */
  @ParameterizedTest
  @ValueSource(strings = {"text", "json"})
  void nobodyForgesALineOrMovesACursor(String format) {
    System.Logger log = logger("FORMAT", format);
    log.log(
        System.Logger.Level.WARNING,
        "deleted {0}: {1}",
        "a\n2026-01-01T00:00:00Z ERROR forged\r\u001b[2J\u009b1m\u0085\u2028\u2029\u202e\u2066\u200b",
        new IOException("b\nforged\u007f"));
    String[] written = lines();
    assertThat(written).hasSize(1);
    assertThat(written[0].codePoints()).allMatch(c -> c >= ' ' && c < 127);
    assertThat(written[0]).contains("a").contains("u000a2026-01-01T00:00:00Z ERROR forged");
  }

  @Test
  void cutsWhatIsTooLong() {
    logger().log(System.Logger.Level.INFO, "x".repeat(5000));
    assertThat(lines()[0]).hasSizeLessThan(4200).endsWith("x... (904 characters more)");
  }

  @ParameterizedTest
  @CsvSource({
    "debug, DEBUG",
    "trace, TRACE",
    "info, INFO",
    "warn, WARNING",
    "error, ERROR",
    "verbose, INFO"
  })
  void beginsAtTheLevelThatIsSet(String word, System.Logger.Level least) {
    System.Logger log = logger("LEVEL", word);
    for (System.Logger.Level level : System.Logger.Level.values()) {
      assertThat(log.isLoggable(level))
          .as(level.name())
          .isEqualTo(level != System.Logger.Level.OFF && level.compareTo(least) >= 0);
    }
  }
}
