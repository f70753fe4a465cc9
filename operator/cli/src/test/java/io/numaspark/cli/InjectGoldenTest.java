package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds what {@code numaspark inject} makes of manifests from users' life, and what it says, to
 * files, byte for byte; {@code -Dgolden.update} writes them anew.
 */
class InjectGoldenTest {
  static final Path GOLDEN = Path.of("src/test/resources/golden/inject");
  static final Path NODES = GOLDEN.resolve("nodes.yaml");
  private static final Path RUNTIME_NODES = GOLDEN.resolve("runtime-nodes.yaml");

  @TempDir private Path folder;

  static List<String> manifests() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN.resolve("before"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Properties name a template, which is written elsewhere than where spark-submit finds it. */
  private Cli inject(Path nodes, Path manifest) {
    boolean properties = manifest.toString().matches(".*[.](conf|properties)");
    return properties
        ? Cli.run(
            "inject",
            "-f",
            nodes,
            "-f",
            manifest,
            "--template",
            template(),
            "--template-as",
            "/etc/spark/pinned-executor.yaml")
        : Cli.run("inject", "-f", nodes, "-f", manifest);
  }

  private Path template() {
    return folder.resolve("template.yaml");
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void injectsAsCommitted(String name) throws IOException {
    Cli cli = inject(NODES, GOLDEN.resolve("before").resolve(name));
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    checkGolden(name, cli.out());
    checkGolden(
        name + ".stderr",
        cli.err().replace(GOLDEN + "/before/", "").replace(template().toString(), "TEMPLATE"));
    if (Files.exists(template())) {
      checkGolden(name + ".template", Files.readString(template()));
    }
  }

  /** The same manifests on nodes whose kubelet is as it came. */
  @ParameterizedTest
  @MethodSource("manifests")
  void whereTheRuntimePinsExecutorsAreAnnotatedAndHaveNoLimit(String name) throws IOException {
    Path before = GOLDEN.resolve("before").resolve(name);
    Cli cli = inject(RUNTIME_NODES, before);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out())
        .contains("numaspark.io/pin", "numaspark.io/pin-slots")
        .doesNotContain("coreLimit: null", "coreLimit\": null");
    assertThat(cli.err()).doesNotContain("null");
    Path after = GOLDEN.resolve("after-runtime").resolve(name);
    GoldenFile.hold(after, cli.out());
    Path once = folder.resolve(name);
    Files.writeString(once, cli.out());
    assertThat(inject(RUNTIME_NODES, once).out()).isEqualTo(cli.out());
    Cli back = inject(NODES, once);
    assertThat(back.exitCode()).as(back.err()).isZero();
    assertThat(lines(back.out()))
        .as("from what the user wrote, its limit included")
        .isEqualTo(lines(inject(NODES, before).out()));
  }

  /**
   * Sorted, because a key that comes back may stand elsewhere; the mark lists them in that order.
   */
  private static List<String> lines(String text) {
    return text.lines()
        .filter(line -> !line.contains("injected"))
        .map(line -> line.replaceAll(",$", ""))
        .sorted()
        .toList();
  }

  @Test
  void withoutTheOperatorTheRuntimePinsNothing() {
    Cli cli =
        Cli.run(
            "inject",
            "--no-slots",
            "-f",
            RUNTIME_NODES,
            "-f",
            GOLDEN.resolve("before/kubeflow-pi.yaml"));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("SparkNodeProfile dual-socket: spec.pinning: ");
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void aSecondRunChangesNothing(String name) throws IOException {
    Path once = GOLDEN.resolve("after").resolve(name);
    Cli cli = inject(NODES, once);
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).isEqualTo(Files.readString(once));
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void anotherProfileStartsFromWhatTheUserWrote(String name) throws IOException {
    Path other = folder.resolve("other.yaml");
    Files.writeString(
        other,
        Files.readString(NODES)
            .replace("name: dual-socket", "name: whole-node")
            .replace("coresPerExecutor: {min: 3, max: 4}", "coresPerExecutor: {min: 8, max: 11}")
            .replace("node.example.com/pool: spark", "node.example.com/pool: big"));
    Path before = GOLDEN.resolve("before").resolve(name);
    Path after = GOLDEN.resolve("after").resolve(name);
    Cli direct = inject(other, before);
    Cli again = inject(other, after);
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.err().replace(after.toString(), ""))
        .isEqualTo(direct.err().replace(before.toString(), ""));
    assertThat(again.out().lines().sorted())
        .as("the same lines; keys may stand in another order")
        .containsExactlyInAnyOrderElementsOf(direct.out().lines().toList());
  }

  @Test
  void everyGoldenFileHasItsManifest() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN.resolve("after"))) {
      assertThat(
              files
                  .map(
                      file -> file.getFileName().toString().replaceAll("[.](stderr|template)$", ""))
                  .distinct())
          .containsExactlyInAnyOrderElementsOf(manifests());
    }
  }

  private static void checkGolden(String name, String text) throws IOException {
    GoldenFile.hold(GOLDEN.resolve("after").resolve(name), text);
  }
}
