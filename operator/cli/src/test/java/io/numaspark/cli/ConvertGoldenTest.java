package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds what {@code numaspark convert} makes of manifests from users' life, and what it says, to
 * files, byte for byte; {@code -Dgolden.update} writes them anew. DocsIT puts the results before a
 * real API server.
 */
class ConvertGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/convert");

  static List<String> manifests() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN.resolve("before"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void convertsAsCommitted(String name) throws IOException {
    Cli cli = Cli.run("convert", "-f", GOLDEN.resolve("before").resolve(name));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    GoldenFile.hold(GOLDEN.resolve("after").resolve(name), cli.out());
    GoldenFile.hold(
        GOLDEN.resolve("after").resolve(name + ".stderr"),
        cli.err().replace(GOLDEN + "/before/", ""));
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void theResultIsOursAndPassesUnchanged(String name) throws IOException {
    Path once = GOLDEN.resolve("after").resolve(name);
    Cli cli = Cli.run("convert", "-f", once);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).isEqualTo(Files.readString(once));
    assertThat(cli.err()).contains("no manifest of another operator");
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void aProfileIsWrittenIntoEveryApplication(String name) {
    Cli plain = Cli.run("convert", "-f", GOLDEN.resolve("before").resolve(name));
    Cli cli = Cli.run("convert", "--profile", "dual", "-f", GOLDEN.resolve("before").resolve(name));
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out().lines().filter(line -> !line.strip().equals("nodeProfile: dual")))
        .containsExactlyElementsOf(plain.out().lines().toList());
    assertThat(cli.out()).containsOnlyOnce("nodeProfile: dual");
  }

  @Test
  void everyGoldenFileHasItsManifest() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN.resolve("after"))) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".stderr", "")).distinct())
          .containsExactlyInAnyOrderElementsOf(manifests());
    }
  }
}
