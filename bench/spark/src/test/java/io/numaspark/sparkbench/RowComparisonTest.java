package io.numaspark.sparkbench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RowComparisonTest {

  private static final String SEPARATOR = "\u001f";

  private static String row(String... fields) {
    return String.join(SEPARATOR, fields);
  }

  @Test
  void doesNotCareForOrder() {
    assertThat(RowComparison.difference(List.of("Long:1", "Long:2"), List.of("Long:2", "Long:1")))
        .isEmpty();
  }

  @Test
  void countsRepeatedRows() {
    assertThat(
            RowComparison.difference(
                List.of("Long:1", "Long:1", "Long:2"), List.of("Long:1", "Long:2", "Long:2")))
        .hasValueSatisfying(
            difference -> assertThat(difference).contains("expected Long:1, found Long:2"));
    assertThat(RowComparison.difference(List.of("Long:1"), List.of()))
        .contains("1 rows expected, 0 found");
  }

  @Test
  void comparesTypes() {
    assertThat(RowComparison.difference(List.of("Long:1"), List.of("Integer:1"))).isPresent();
  }

  @Test
  void forgivesTheLastDigitOfADouble() {
    List<String> expected =
        List.of(row("Double:0.30000000000000004", "String:b"), row("Double:0.3", "String:a"));
    List<String> actual =
        List.of(row("Double:0.30000000000000004", "String:a"), row("Double:0.3", "String:b"));

    assertThat(RowComparison.difference(expected, actual)).isEmpty();
  }

  @Test
  void doesNotForgiveADecimalOrALargeDifference() {
    assertThat(RowComparison.difference(List.of("BigDecimal:0.30"), List.of("BigDecimal:0.31")))
        .isPresent();
    assertThat(RowComparison.difference(List.of("Double:0.300"), List.of("Double:0.301")))
        .isPresent();
  }
}
