package io.numaspark.render.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeignTextTest {
  @Test
  void whatIsFitStaysAsItIs() {
    assertThat(ForeignText.line(null, 5)).isNull();
    assertThat(ForeignText.line("", 5)).isEmpty();
    assertThat(ForeignText.line("äöü𝔸", 5)).isEqualTo("äöü𝔸");
    assertThat(ForeignText.bytes(null, 5)).isNull();
    assertThat(ForeignText.bytes("12345", 5)).isEqualTo("12345");
  }

  @Test
  void itIsOneLineThatMovesNoCursorAndTurnsNoText() {
    assertThat(
            ForeignText.line(
                "a\nb\r\nc\u0000d\u001b[2Je\u0085f\u2028g\u2029h\u202ei\u200bj\u007fk\tl", 100))
        .isEqualTo("a b  c d [2Je f g h i j k l");
  }

  @ParameterizedTest
  @CsvSource({"abcdef, 5, abcd…", "abcdef, 6, abcdef", "𝔸𝔸𝔸, 4, 𝔸…", "abc𝔸𝔸, 5, abc…"})
  void itIsCutBetweenCharacters(String text, int longest, String line) {
    assertThat(ForeignText.line(text, longest)).isEqualTo(line);
  }

  @Test
  void bytesAreThoseOfUtf8() {
    for (String text : new String[] {"ä".repeat(2000), "𝔸".repeat(2000), "a€".repeat(2000)}) {
      String cut = ForeignText.bytes(text, 1024);
      assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isBetween(1018, 1024);
      assertThat(cut).endsWith("…").doesNotContain("\ufffd");
      assertThat(text).startsWith(cut.substring(0, cut.length() - 1));
    }
  }
}
