package io.numaspark.planner.jvm;

import static io.numaspark.planner.fixture.Policies.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompressedOopsTest {

  @ParameterizedTest
  @CsvSource({
    "HOTSPOT, PARALLEL, 32766, 30720",
    "HOTSPOT, SERIAL,   32766, 30720",
    "HOTSPOT, G1,       32256, 30720",
    "HOTSPOT, AUTO,     32256, 30720",
    "HOTSPOT, UNSET,    32256, 30720",
    "HOTSPOT, ZGC,          0,     0",
    "OPENJ9,  AUTO,     58368, 58368",
  })
  void limitsInMib(Vendor vendor, Collector collector, long limit, long zeroBased) {
    assertThat(CompressedOops.limitBytes(vendor, collector)).isEqualTo(limit * MIB);
    assertThat(CompressedOops.zeroBasedLimitBytes(vendor, collector)).isEqualTo(zeroBased * MIB);
  }
}
