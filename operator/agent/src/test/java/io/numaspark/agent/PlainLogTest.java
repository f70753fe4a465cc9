package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
}
