package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalRunnerTest {

  @ParameterizedTest
  @CsvSource({"1, 500", "5, 500", "20, 2000", "50, 5000", "3000, 5000"})
  void aLookTakesAHundredthOfTheTimeButIsNotTooRare(long look, long pause) {
    assertThat(LocalRunner.pauseAfter(Duration.ofMillis(look))).hasMillis(pause);
  }
}
