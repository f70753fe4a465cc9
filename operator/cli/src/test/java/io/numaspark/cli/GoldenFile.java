package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts that are held to committed files, byte for byte. */
final class GoldenFile {
  private GoldenFile() {}

  /** Compares, or with {@code -Dgolden.update} writes the file anew. */
  static void hold(Path expected, String text) throws IOException {
    if (System.getProperty("golden.update") != null) {
      Files.createDirectories(expected.getParent());
      Files.writeString(expected, text);
    }
    assertThat(expected)
        .as("if the change is wanted, run `make generate` and commit the result")
        .hasBinaryContent(text.getBytes(StandardCharsets.UTF_8));
  }
}
