package io.numaspark.generators;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the generated files of the repository to what the generators say. */
class GeneratedFilesGoldenTest {
  /** Largest CRD that client-side {@code kubectl apply} can annotate. */
  private static final int ANNOTATION_LIMIT_BYTES = 256 * 1024;

  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));

  static List<GeneratedFile> files() throws IOException {
    return GeneratedFiles.of(REPOSITORY);
  }

  @ParameterizedTest
  @MethodSource("files")
  void isCurrent(GeneratedFile file) throws IOException {
    GoldenFile.hold(REPOSITORY.resolve(file.path()), file.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "crds",
        "charts/numaspark/crds",
        "docs/reference",
        "dashboards",
        "charts/numaspark/files/dashboards"
      })
  void nothingElseLiesThere(String folder) throws IOException {
    List<String> generated = files().stream().map(GeneratedFile::path).toList();
    try (Stream<Path> found = Files.list(REPOSITORY.resolve(folder))) {
      assertThat(found.filter(Files::isRegularFile).toList())
          .allSatisfy(
              file ->
                  assertThat(generated)
                      .as("delete it, or generate it")
                      .contains(folder + "/" + file.getFileName()));
    }
  }

  @Test
  void crdsFitIntoAnAnnotation() throws IOException {
    assertThat(files().stream().filter(file -> file.path().startsWith("crds/")))
        .hasSize(6)
        .allSatisfy(
            file ->
                assertThat(file.text().getBytes(StandardCharsets.UTF_8))
                    .hasSizeLessThan(ANNOTATION_LIMIT_BYTES));
  }
}
