package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the examples of docs/inject.md to what the command does; {@code -Dgolden.update} too. */
class InjectDocumentGoldenTest {
  private static final Path DOCUMENT = Path.of("../../docs/inject.md");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"kubeflow.yaml", "apache.yaml", "spark-defaults.conf"})
  void exampleIsWhatTheCommandDoes(String name) throws IOException {
    String document = Files.readString(DOCUMENT);
    Matcher before = block("before", name).matcher(document);
    Matcher after = block("after", name).matcher(document);
    assertThat(before.find() && after.find()).isTrue();
    Path manifest = Files.writeString(folder.resolve(name), before.group(2));
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", manifest);
    String shortened =
        cli.out()
            .replaceAll("\\{\"profile\":\"dual-socket\",.*}", "{\"profile\":\"dual-socket\",…}");
    GoldenFile.hold(
        DOCUMENT,
        document.substring(0, after.start(2)) + shortened + document.substring(after.end(2)));
  }

  private static Pattern block(String which, String name) {
    return Pattern.compile(
        "<!-- "
            + which
            + " "
            + Pattern.quote(name)
            + " -->\n```(yaml|properties)\n((?:(?!```).*\n)*)```");
  }
}
