package io.numaspark.render.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JavaOptionsTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          -Da=b -Dc=d          | -Da=b,-Dc=d
          `  -Da=b   -Dc=d  `  | -Da=b,-Dc=d
          "-Da=b c" -Dd='e f'  | -Da=b c,-Dd=e f
          -Da="b \\"c\\""      | -Da=b "c"
          -Da=b\\c             | -Da=b\\c
          -Da='b\\c'           | -Da=b\\c
          "-Da=b c             | -Da=b c
          "-Da=b\\             | -Da=b
          """)
  void splitsAsSparkDoes(String text, String options) {
    assertThat(JavaOptionsText.split(text)).containsExactly(options.split(","));
  }

  @Test
  void nothingHasNoOptions() {
    assertThat(JavaOptionsText.split(null)).isEmpty();
    assertThat(JavaOptionsText.split(" \t\n")).isEmpty();
    assertThat(JavaOptionsText.split("''")).containsExactly("");
    assertThat(JavaOptionsText.join(List.of())).isEmpty();
  }

  @Test
  void plainOptionsAreNotQuoted() {
    assertThat(JavaOptionsText.join(List.of("-Xmn1g", "-Da=C:\\d"))).isEqualTo("-Xmn1g -Da=C:\\d");
  }

  @Test
  void whatIsJoinedIsSplitAgain() {
    Random random = new Random(7);
    String letters = "ab -=\"'\\ \t";
    for (int round = 0; round < 5_000; round++) {
      List<String> options = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        StringBuilder option = new StringBuilder();
        for (int c = random.nextInt(8); c >= 0; c--) {
          option.append(letters.charAt(random.nextInt(letters.length())));
        }
        options.add(option.toString());
      }
      String text = JavaOptionsText.join(options);
      assertThat(JavaOptionsText.split(text)).as(text).isEqualTo(options);
    }
  }
}
