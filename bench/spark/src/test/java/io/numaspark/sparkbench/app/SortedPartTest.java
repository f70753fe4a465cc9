package io.numaspark.sparkbench.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SortedPartTest {

  private static byte[] record(int key) {
    byte[] bytes = new byte[TerasortRecord.LENGTH];
    bytes[0] = (byte) key;
    return bytes;
  }

  private static SortedPart part(int... keys) {
    return SortedPart.of(Arrays.stream(keys).mapToObj(SortedPartTest::record).iterator());
  }

  @Test
  void ordersKeysAsUnsignedNumbers() {
    assertThat(part(1, 2, 200).sorted()).isTrue();
    assertThat(part(200, 2).sorted()).isFalse();
  }

  @Test
  void seesDisorderBetweenParts() {
    assertThat(part(1, 2).then(part()).then(part(2, 3)).sorted()).isTrue();
    assertThat(part(1, 3).then(part(2)).sorted()).isFalse();
  }

  @Test
  void sumsWithoutRegardToOrder() {
    assertThat(part(1, 2, 3).sum()).isEqualTo(part(3).then(part(2, 1)).sum());
    assertThat(part(1, 2, 3).sum()).isNotEqualTo(part(1, 2, 4).sum());
    assertThat(part(1).then(part(2)).count()).isEqualTo(List.of(1, 2).size());
  }
}
