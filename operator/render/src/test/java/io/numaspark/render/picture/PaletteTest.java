package io.numaspark.render.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.picture.Palette.Others;
import io.numaspark.render.picture.Palette.Tint;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Contrast as WCAG 2.2 defines it: level AA asks for 4.5 of text and 3 of what is not text. */
class PaletteTest {
  private static final double TEXT = 4.5;
  private static final double SHAPE = 3;

  static List<Palette> palettes() {
    return List.of(Palette.LIGHT, Palette.DARK);
  }

  @ParameterizedTest
  @MethodSource("palettes")
  void textCanBeReadWhereverItStands(Palette palette) {
    for (Tint tint : tints(palette)) {
      assertThat(contrast(palette.ink().text(), tint.fill())).as(tint.fill()).isGreaterThan(TEXT);
    }
    for (String back : List.of(palette.page(), palette.box())) {
      assertThat(contrast(palette.ink().text(), back)).isGreaterThan(TEXT);
      assertThat(contrast(palette.ink().muted(), back)).isGreaterThan(TEXT);
      assertThat(contrast(palette.ink().alarm(), back)).isGreaterThan(TEXT);
    }
  }

  @ParameterizedTest
  @MethodSource("palettes")
  void holdersAndFramesStandOutFromTheirBox(Palette palette) {
    for (Tint tint : palette.applications()) {
      assertThat(contrast(tint.edge(), palette.box())).as(tint.edge()).isGreaterThan(SHAPE);
    }
    Others others = palette.others();
    for (Tint tint : List.of(others.stranded(), others.free(), others.slot(), others.pod())) {
      assertThat(contrast(tint.edge(), palette.box())).as(tint.edge()).isGreaterThan(SHAPE);
    }
    assertThat(contrast(palette.line(), palette.page())).isGreaterThan(SHAPE);
    assertThat(contrast(palette.ink().alarm(), palette.box())).isGreaterThan(SHAPE);
  }

  @ParameterizedTest
  @MethodSource("palettes")
  void bothSchemesColourTheSameNumberOfApplications(Palette palette) {
    assertThat(palette.applications()).hasSameSizeAs(Palette.LIGHT.applications()).hasSize(8);
    assertThat(palette.applications()).doesNotHaveDuplicates();
  }

  private static List<Tint> tints(Palette palette) {
    Others others = palette.others();
    List<Tint> tints = new ArrayList<>(palette.applications());
    tints.addAll(
        List.of(others.reserved(), others.stranded(), others.free(), others.slot(), others.pod()));
    return tints;
  }

  private static double contrast(String one, String other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(String colour) {
    return 0.2126 * channel(colour, 1) + 0.7152 * channel(colour, 3) + 0.0722 * channel(colour, 5);
  }

  private static double channel(String colour, int from) {
    double value = Integer.parseInt(colour.substring(from, from + 2), 16) / 255.0;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  }
}
