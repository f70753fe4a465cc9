package io.numaspark.render.picture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MarkupTest {
  @Test
  void textAndAttributesAreEscaped() {
    assertThat(new Markup().element("p", "<b> & \"c\" 'd'", "title", "\"><script>").finish())
        .isEqualTo(
            "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;</p>\n");
  }

  @Test
  void whatIsNoTextAndWhatTurnsTheDirectionIsReplaced() {
    assertThat(new Markup().element("p", "a\u0000b\u001bc\u202ed\u2066e\ufffef\ud800g").finish())
        .isEqualTo("<p>a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg</p>\n");
    assertThat(new Markup().element("p", "naïve 名前 \ud83d\ude00\n").finish())
        .isEqualTo("<p>naïve 名前 \ud83d\ude00\n</p>\n");
  }

  @Test
  void whatIsNotClosedIsNotFinished() {
    assertThatThrownBy(() -> new Markup().open("g").finish())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("g");
  }

  @Test
  void styleSheetsThatHtmlAndXmlReadDifferentlyAreRefused() {
    assertThatThrownBy(() -> new Markup().style("a::before{content:'<'}"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
