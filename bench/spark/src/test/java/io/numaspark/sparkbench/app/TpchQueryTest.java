package io.numaspark.sparkbench.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TpchQueryTest {

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
  void isWhatSparkCanParse(int number) {
    String text = TpchQuery.text("q%02d".formatted(number), 1);

    assertThat(CatalystSqlParser$.MODULE$.parsePlan(text).nodeName()).isNotEmpty();
    assertThat(text).doesNotContain("${");
  }

  @Test
  void dividesTheFractionOfQuery11ByTheScaleFactor() {
    assertThat(TpchQuery.text("q11", 10)).contains("CAST(0.00001 AS DECIMAL(11, 10))");
  }

  @Test
  void saysWhichThereAre() {
    assertThatThrownBy(() -> TpchQuery.text("q23", 1)).hasMessageContaining("q01 to q22");
  }
}
