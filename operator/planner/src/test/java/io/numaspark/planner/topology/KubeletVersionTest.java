package io.numaspark.planner.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions as distributions write them, and texts that are none. */
class KubeletVersionTest {

  @ParameterizedTest
  @CsvSource({
    "v1.36.3, 1.36",
    "1.36, 1.36",
    "v1.33.4-eks-abc, 1.33",
    "v1.36.0+k3s1, 1.36",
    "v1.34.2-gke.100, 1.34",
    "v1.31.0-rc.1+rke2r1, 1.31",
    "v1.38.0-alpha.0.12+0123456789abcd-dirty, 1.38",
    "v1.27+, 1.27",
    "v2.0.0, 2.0",
    "v1.100.0, 1.100"
  })
  void minorVersionIsRead(String text, String minor) {
    assertThat(KubeletVersion.parse(text)).get().hasToString(minor);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        " ",
        "v",
        "1",
        "v1",
        "v1.",
        ".36",
        "V1.36.0",
        "vv1.36",
        "1.x",
        "v1.36beta",
        "v-1.36",
        "1.9999.0",
        "99999999999999999999.1",
        "v1.36.0\n",
        "v1.36.0 and more",
        "\u0661.\u0663\u0666",
        "unknown"
      })
  void otherTextIsNoVersion(String text) {
    assertThat(KubeletVersion.parse(text)).isEmpty();
  }

  @Test
  void aVeryLongTextIsNoVersion() {
    assertThat(KubeletVersion.parse("v1.36.0-" + "a".repeat(120))).isPresent();
    assertThat(KubeletVersion.parse("v1.36.0-" + "a".repeat(121))).isEmpty();
  }

  @Test
  void versionsAreOrderedAsNumbers() {
    assertThat(
            Stream.of("1.9", "2.0", "1.10", "1.100")
                .map(text -> KubeletVersion.parse(text).orElseThrow())
                .sorted())
        .extracting(KubeletVersion::toString)
        .containsExactly("1.9", "1.10", "1.100", "2.0");
  }
}
