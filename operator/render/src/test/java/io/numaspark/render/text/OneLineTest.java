package io.numaspark.render.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTest {
  @Test
  void ordinaryTextStaysWhatItIs() {
    String text = "node é 日本 🚀: 0-3,8 'quoted'";
    assertThat(OneLine.of(text)).isSameAs(text);
  }

  @Test
  void lineBreaksBecomeSpaces() {
    assertThat(OneLine.of("a\nb\r\nc\td")).isEqualTo("a b  c d");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[2J",
        "\u009b2J",
        "\b",
        "\u0000",
        "\u007f",
        "\u0085",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\ud800",
        "\uffff"
      })
  void whatATerminalObeysIsReplaced(String hostile) {
    String line = OneLine.of("a" + hostile + "z");
    assertThat(line).startsWith("a\ufffd").endsWith("z");
    assertThat(line.codePoints()).allMatch(OneLine::isShown);
  }
}
