package io.numaspark.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.numaspark.cli.CommandLines;
import io.numaspark.planner.fixture.Page;
import io.numaspark.planner.fixture.Page.Block;
import io.numaspark.planner.sysfs.CapturedTree;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every block of a page is of a kind that some test reads, or says why none does.
 *
 * <p>CommandsTest reads {@code sh} and {@code console}, DocsIT gives the manifests to an API
 * server, and this test reads the others. {@code text} is for drawings and formulas.
 */
class BlocksTest {
  /** Raise it only for a block that cannot be read by any test. */
  private static final int NOT_CHECKED = 7;

  private static final Set<String> LANGUAGES =
      Set.of("console", "json", "properties", "sh", "text", "yaml");

  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern MANIFEST = Pattern.compile("(?m)^apiVersion: (\\S+)$");
  private static final Pattern OTHER_OPERATORS =
      Pattern.compile("(sparkoperator[.]k8s[.]io|spark[.]apache[.]org)/.*");
  private static final String CHART_VALUES = "# values of numaspark's chart\n";
  private static final Pattern KUBELET = Pattern.compile("(?m)^(cpu|topology|memory)Manager\\w*: ");

  @TempDir private Path folder;

  static List<Block> blocks() throws IOException {
    return Page.all().stream().flatMap(page -> page.blocks().stream()).toList();
  }

  static Stream<Block> checked(String language) throws IOException {
    return blocks().stream()
        .filter(block -> block.language().equals(language) && block.notChecked().isEmpty());
  }

  static Stream<Block> json() throws IOException {
    return checked("json");
  }

  static Stream<Block> properties() throws IOException {
    return checked("properties");
  }

  static Stream<Block> yaml() throws IOException {
    return checked("yaml");
  }

  @Test
  void everyBlockSaysWhatItIs() throws IOException {
    assertThat(blocks())
        .allSatisfy(block -> assertThat(block.language()).as("%s", block).isIn(LANGUAGES));
  }

  @Test
  void blocksThatNoTestReadsAreFewAndSayWhy() throws IOException {
    List<Block> notChecked =
        blocks().stream().filter(block -> block.notChecked().isPresent()).toList();
    assertThat(notChecked).hasSize(NOT_CHECKED);
    assertThat(notChecked)
        .allSatisfy(block -> assertThat(block.notChecked().orElseThrow()).contains(" "));
  }

  @ParameterizedTest
  @MethodSource("json")
  void jsonCanBeRead(Block block) throws IOException {
    try (var values = JSON.readerFor(JsonNode.class).readValues(block.text())) {
      assertThat(values.readAll()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("properties")
  void propertiesAreSparks(Block block) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(block.text()));
    assertThat(properties.stringPropertyNames())
        .isNotEmpty()
        .allMatch(name -> name.startsWith("spark."));
  }

  @ParameterizedTest
  @MethodSource("yaml")
  void yamlIsReadByWhomItIsFor(Block block) throws IOException {
    if (KUBELET.matcher(block.text()).find()) {
      pinsExecutors(block.text());
      return;
    }
    if (block.text().startsWith(CHART_VALUES)) {
      Path values = REPOSITORY.resolve("charts/numaspark/values.yaml");
      assertThat(paths("", YAML.readTree(block.text())))
          .isSubsetOf(paths("", YAML.readTree(values.toFile())));
      return;
    }
    JsonNode tree = YAML.readTree(block.text());
    if (examples().stream().anyMatch(example -> isPartOf(example, tree))) {
      return;
    }
    List<String> versions =
        MANIFEST.matcher(block.text()).results().map(version -> version.group(1)).toList();
    assertThat(versions)
        .as("no manifest, and nothing that a test reads: mark it <!-- not checked: REASON -->")
        .isNotEmpty();
    if (versions.stream().anyMatch(version -> OTHER_OPERATORS.matcher(version).matches())) {
      Path manifest = Files.writeString(folder.resolve("manifest.yaml"), block.text());
      assertThat(CommandLines.run("convert", "-f", manifest)).isZero();
    }
  }

  private static List<String> paths(String parent, JsonNode value) {
    return Stream.concat(
            Stream.of(parent),
            value
                .propertyStream()
                .flatMap(child -> paths(parent + "/" + child.getKey(), child.getValue()).stream()))
        .toList();
  }

  /** Whether each list of a block is in the example, with all that its entries say. */
  private static boolean isPartOf(JsonNode example, JsonNode block) {
    return block
        .propertyStream()
        .allMatch(
            list ->
                list.getValue().isArray()
                    && list.getValue()
                        .valueStream()
                        .allMatch(
                            entry ->
                                example.path(list.getKey()).valueStream().anyMatch(entry::equals)));
  }

  /** Files that the shell's checks of the chart and of the lab read. */
  private static List<JsonNode> examples() throws IOException {
    List<JsonNode> examples = new ArrayList<>();
    try (Stream<Path> files = Files.list(REPOSITORY.resolve("docs/examples"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
        examples.add(YAML.readTree(file.toFile()));
      }
    }
    return examples;
  }

  /** With keys that the kubelet's own code has read, and on a machine that they suit. */
  private void pinsExecutors(String kubelet) throws IOException {
    JsonNode settings = YAML.readTree(kubelet);
    Iterable<String> known = recommended()::fieldNames;
    assertThat(settings.fieldNames()).toIterable().isSubsetOf(known);
    Path config = Files.writeString(folder.resolve("kubelet.yaml"), kubelet);
    Path root = Files.createDirectory(folder.resolve("root"));
    CapturedTree.named("ivybridge-smt2").unpack(root);
    String topology =
        CommandLines.output("topology", "--sysfs", root, "--kubelet-config", config, "--node", "n");
    Path node = Files.writeString(folder.resolve("node.yaml"), topology);
    JsonNode findings = JSON.readTree(CommandLines.output("doctor", "-f", node, "-o", "json"));
    assertThat(findings.path("errors").asInt() + findings.path("warnings").asInt())
        .as("%s", findings)
        .isZero();
  }

  private static JsonNode recommended() throws IOException {
    Path examples = REPOSITORY.resolve("docs/examples");
    return YAML.readTree(
        CommandLines.output(
            "kubelet-config",
            "-f",
            examples.resolve("topologies/ivy-bridge-2x12.yaml"),
            "-f",
            examples.resolve("profile.yaml"),
            "--for",
            "kubelet-drop-in"));
  }
}
