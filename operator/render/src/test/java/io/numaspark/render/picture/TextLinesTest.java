package io.numaspark.render.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextLinesTest {
  private static final int FONT = 10;

  @Test
  void linesBreakAtSpacesAndCommasAndAreNotWiderThanTheBox() {
    List<String> lines = TextLines.wrap("CPUs 12-16,36-40 of executor 3", 60, FONT);
    assertThat(lines).containsExactly("CPUs", "12-16,", "36-40 of", "executor 3");
    assertThat(lines).allMatch(line -> TextLines.width(line, FONT) <= 60);
  }

  @Test
  void aWordThatIsTooLongIsBroken() {
    assertThat(TextLines.wrap("abcdefghijklmnopqrstuvwxyz", 60, FONT))
        .containsExactly("abcdefghij", "klmnopqrst", "uvwxyz");
  }

  @Test
  void theLastOfTooManyLinesTellsThatThereAreMore() {
    assertThat(TextLines.atMost(2, List.of("a", "b", "c"))).containsExactly("a", "b …");
    assertThat(TextLines.atMost(3, List.of("a", "b", "c"))).containsExactly("a", "b", "c");
  }

  @Test
  void theLongestLabelThatFitsIsTaken() {
    List<String> labels = List.of("report 17", "exec 17", "17");
    assertThat(TextLines.fitting(labels, 60, FONT)).isEqualTo("report 17");
    assertThat(TextLines.fitting(labels, 50, FONT)).isEqualTo("exec 17");
    assertThat(TextLines.fitting(labels, 12, FONT)).isEqualTo("17");
    assertThat(TextLines.fitting(List.of("1234567"), 30, FONT)).isEqualTo("1234…");
  }

  @Test
  void eastAsianCharactersAreTwiceAsWide() {
    assertThat(TextLines.width("名前", FONT)).isEqualTo(TextLines.width("abcd", FONT));
  }
}
