package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.planner.sysfs.CapturedTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The SparkNodeTopology of each captured tree, held to a committed file. */
class CapturedTreesGoldenTest {
  private static final List<String> NAMES = CapturedTree.NAMES;
  private static final Path EXPECTED = Path.of("src/test/resources/topology/expected");

  @Test
  void theDocsSayOfEachWhatItIs() throws IOException {
    Path docs = Path.of(System.getProperty("repository.root"), "docs/topology.md");
    assertThat(Files.readAllLines(docs).stream().filter(line -> line.startsWith("| `")))
        .extracting(line -> line.split("`")[1])
        .containsAll(NAMES);
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void topologyOf(String name, @TempDir Path root) throws IOException {
    CapturedTree tree = CapturedTree.named(name);
    Cli cli = Cli.run("topology", "--sysfs", tree.unpack(root), "--node", name);
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    GoldenFile.hold(
        EXPECTED.resolve(name + ".yaml"), "# " + tree.head("machine") + "\n" + cli.out());
  }
}
