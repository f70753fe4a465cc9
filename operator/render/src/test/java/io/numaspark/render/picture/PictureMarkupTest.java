package io.numaspark.render.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * What every picture has to keep: no script, nothing from elsewhere, a name for what has the focus.
 */
class PictureMarkupTest {
  private static final Pattern IN_STYLE = Pattern.compile("url\\(([^)]*)\\)|@import");

  static Stream<String> texts() {
    return Stream.of(Drawn.values())
        .flatMap(drawn -> Stream.of(SvgPage.of(drawn.picture()), HtmlPage.of(drawn.picture())));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void nothingRunsAndNothingIsFetched(String text) throws Exception {
    for (Element element : elements(text)) {
      assertThat(element.getTagName()).isNotIn("script", "image", "img", "link", "iframe", "use");
      for (int i = 0; i < element.getAttributes().getLength(); i++) {
        assertThat(element.getAttributes().item(i).getNodeName())
            .doesNotStartWith("on")
            .isNotIn("style", "href", "xlink:href", "src");
      }
      if (element.getTagName().equals("style")) {
        Matcher matcher = IN_STYLE.matcher(element.getTextContent());
        while (matcher.find()) {
          assertThat(matcher.group(1)).startsWith("#");
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void whatTakesTheFocusHasARoleAndAName(String text) throws Exception {
    List<Element> focusable =
        elements(text).stream().filter(element -> element.hasAttribute("tabindex")).toList();
    assertThat(focusable).isNotEmpty();
    for (Element element : focusable) {
      assertThat(element.getAttribute("tabindex")).isEqualTo("0");
      assertThat(element.getAttribute("role")).isEqualTo("img");
      assertThat(element.getAttribute("aria-label")).contains("CPUs");
    }
  }

  @ParameterizedTest
  @MethodSource("texts")
  void idsAreUniqueAndReferencesResolve(String text) throws Exception {
    List<String> ids = new ArrayList<>();
    List<String> references = new ArrayList<>();
    for (Element element : elements(text)) {
      if (element.hasAttribute("id")) {
        ids.add(element.getAttribute("id"));
      }
      if (element.hasAttribute("aria-labelledby")) {
        references.addAll(List.of(element.getAttribute("aria-labelledby").split(" ")));
      }
    }
    assertThat(ids)
        .doesNotHaveDuplicates()
        .containsAll(references)
        .contains("reserved", "stranded");
  }

  @ParameterizedTest
  @EnumSource
  void theTableHasARowForEachHolder(Drawn drawn) throws Exception {
    List<String> headings =
        elements(HtmlPage.of(drawn.picture())).stream()
            .filter(element -> element.getAttribute("scope").equals("row"))
            .map(Element::getTextContent)
            .toList();
    Set<String> titles =
        Set.copyOf(
            drawn.picture().holders().stream().map(holder -> shown(holder.title())).toList());
    assertThat(headings).containsAll(titles).contains("Reserved");
  }

  @Test
  void patternsAndInitialsTellReservedFromStrandedWithoutColour() {
    String text = SvgPage.of(Pictures.loneThread());
    assertThat(text)
        .contains(".reserved .face{fill:url(#reserved)", ".stranded .face{fill:url(#stranded)")
        .contains(">R/S</text>", "aria-label=\"stranded CPUs");
  }

  @Test
  void thePolicyAdmitsThePagesOwnStyleSheetAlone() {
    assertThat(HtmlPage.contentSecurityPolicy())
        .matches(
            "default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'");
  }

  private static String shown(String text) {
    return text.replaceAll("[\u0007\u202e]", "\ufffd");
  }

  private static List<Element> elements(String text) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(text)));
    NodeList all = document.getElementsByTagName("*");
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      elements.add((Element) all.item(i));
    }
    return elements;
  }
}
