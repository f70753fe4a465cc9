package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the examples of docs/inject.md to what the command does; {@code -Dgolden.update} too. */
class InjectDocumentGoldenTest {
  private static final Path DOCUMENT = Path.of("../../docs/inject.md");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"kubeflow.yaml", "apache.yaml"})
  void exampleIsWhatTheCommandDoes(String name) throws IOException {
    Path manifest = before(name);
    hold(name, Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", manifest).out());
  }

  @Test
  void propertiesComeWithATemplate() throws IOException {
    Path properties = before("spark-defaults.conf");
    Path pinned = folder.resolve("pinned.conf");
    Cli cli = Cli.run("inject", "-f", InjectGoldenTest.NODES, "-f", properties, "-o", pinned);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    hold("pinned.conf", Files.readString(pinned).replace(folder.toString(), "/home/me"));
    hold("pinned-executor.yaml", Files.readString(folder.resolve("pinned-executor.yaml")));
  }

  private Path before(String name) throws IOException {
    Matcher before = block("before", name).matcher(Files.readString(DOCUMENT));
    assertThat(before.find()).isTrue();
    return Files.writeString(folder.resolve(name), before.group(2));
  }

  private static void hold(String name, String result) throws IOException {
    String document = Files.readString(DOCUMENT);
    Matcher after = block("after", name).matcher(document);
    assertThat(after.find()).isTrue();
    String shortened =
        result
            .replaceAll("\\{\"profile\":\"dual-socket\",.*}", "{\"profile\":\"dual-socket\",…}")
            .replaceAll("(?<=follows: )[0-9a-f]{64}", "…");
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
