package io.numaspark.sparkbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SampleTest {

  @Test
  void takesTheMiddleOfAnOddNumber() {
    assertThat(Sample.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Sample(3, 2, 1, 1, 9));
  }

  @Test
  void takesTheMeanOfTheTwoInTheMiddle() {
    assertThat(Sample.of(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(new Sample(4, 3, 1.5, 1, 100));
  }

  @Test
  void refusesNothing() {
    assertThatThrownBy(() -> Sample.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
