package io.numaspark.render.picture;

import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds pictures to files, byte for byte; {@code -Dgolden.update} writes them anew. Look at them in
 * a browser before you commit a difference.
 */
class PictureGoldenTest {
  private static final Path EXPECTED = Path.of("src/test/resources/picture");

  @ParameterizedTest
  @EnumSource
  void drawsSvgAsCommitted(Drawn drawn) throws IOException {
    hold(drawn.file("svg"), SvgPage.of(drawn.picture()));
  }

  @ParameterizedTest
  @EnumSource
  void drawsHtmlAsCommitted(Drawn drawn) throws IOException {
    hold(drawn.file("html"), HtmlPage.of(drawn.picture()));
  }

  private static void hold(String file, String text) throws IOException {
    GoldenFile.hold(EXPECTED.resolve(file), text);
  }
}
