package io.numaspark.render.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySizeTest {
  @ParameterizedTest
  @CsvSource({
    "512, 536870912",
    "512m, 536870912",
    "512MB, 536870912",
    "512Mi, 536870912",
    "2048b, 2048",
    "1k, 1024",
    "1kb, 1024",
    "4g, 4294967296",
    "' 4G ', 4294967296",
    "4Gi, 4294967296",
    "2t, 2199023255552",
    "64t, 70368744177664"
  })
  void readsSparkNotation(String size, long bytes) {
    assertThat(MemorySize.ofSpark(size)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "g", "-1g", "1.5g", "1x", "1 g", "four", "0x10m", "1gig"})
  void refusesWhatIsNoSize(String size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemorySize.ofSpark(size))
        .withMessageContaining("'" + size + "' is not a memory size")
        .withMessageContaining("512m or 4g");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"65t", "9223372036854775807", "99999999999999999999999g", "70368744177665"})
  void refusesWhatNoMachineHas(String size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemorySize.ofSpark(size))
        .withMessageContaining("'" + size + "' is too large");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "30Gi, 32212254720",
    "1.5Gi, 1610612736",
    "384Mi, 402653184",
    "1G, 1000000000",
    "1024, 1024"
  })
  void readsQuantities(String quantity, long bytes) {
    assertThat(MemorySize.ofQuantity(quantity)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30GiB", "Gi", "99999999Ti", "nine"})
  void refusesWhatIsNoQuantity(String quantity) {
    assertThatIllegalArgumentException().isThrownBy(() -> MemorySize.ofQuantity(quantity));
  }

  @ParameterizedTest
  @CsvSource({"0, 0m", "1048575, 0m", "1048576, 1m", "4294967296, 4096m", "4294967295, 4095m"})
  void writesSparkNotationRoundedDown(long bytes, String size) {
    assertThat(MemorySize.toSpark(bytes)).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({"4294967296, 4Gi", "1610612736, 1536Mi", "1048575, 0Mi", "402653184, 384Mi"})
  void writesQuantitiesInTheLargestExactUnit(long bytes, String quantity) {
    assertThat(MemorySize.toQuantity(bytes)).isEqualTo(quantity);
  }
}
