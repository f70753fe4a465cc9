package io.numaspark.render.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesQuantityTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0", "1", "1.", ".5", "-3", "+3", "1500m", "7u", "9n", "2k", "2M", "2G", "2T", "2P", "2E",
        "1Ki", "1.5Mi", "30Gi", "1Ti", "1Pi", "1e3", "1E3", "12e-2", "1.5e+1"
      })
  void isWhatTheKubernetesClientReads(String text) {
    assertThat(KubernetesQuantity.parse(text))
        .isEqualByComparingTo(Quantity.getAmountInBytes(Quantity.parse(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "x",
        "-",
        ".",
        "1 ",
        "1 i",
        "1ki",
        "1mi",
        "1K",
        "1i",
        "1e",
        "1ee",
        "1e1.5",
        "1GiB",
        "1Gii",
        "0x10",
        "1-2",
        "1e99999999999",
        "1e100",
        "1e-100",
        "1E-2147483648",
        "Gi",
        "1e3Ki"
      })
  void refusesWhatIsNone(String text) {
    assertThatThrownBy(() -> KubernetesQuantity.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A million digits would be computed with for minutes. */
  @Test
  void refusesMoreDigitsThanAnAmountHas() {
    assertThatThrownBy(() -> KubernetesQuantity.parse("9".repeat(1_000_000)))
        .hasMessage("a quantity has at most 64 characters, this one has 1000000");
  }
}
