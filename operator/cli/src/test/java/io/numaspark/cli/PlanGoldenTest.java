package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds the answers of {@code numaspark plan} to files, byte for byte; {@code -Dgolden.update}
 * writes them anew. The JSON is for programs and must stay stable, see docs/cli.md.
 */
class PlanGoldenTest {
  private static final Path PLAN = Path.of("src/test/resources/plan");

  @ParameterizedTest
  @CsvSource({
    "json, 0, profile.json",
    "table, 0, profile.txt",
    "yaml, 0, profile.yaml",
    "json, 0, application.json",
    "table, 0, application.txt",
    "json, 0, pages.json",
    "table, 0, pages.txt",
    "json, 1, shortfall.json",
    "table, 1, shortfall.txt",
    "json, 1, refused.json",
    "table, 1, refused.txt",
    "json, 0, findings.json",
    "table, 0, findings.txt",
    "json, 0, explain.json",
    "table, 0, explain.txt",
    "json, 0, properties.json",
    "table, 0, properties.txt",
    "json, 0, runtime.json",
    "table, 0, runtime.txt",
    "json, 0, ordinary.json",
    "table, 0, ordinary.txt"
  })
  void answersAsCommitted(String format, int exitCode, String file) throws IOException {
    Cli cli = plan(file.replaceFirst("[.].*", ""), format);
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isEqualTo(exitCode);
    GoldenFile.hold(PLAN.resolve("expected").resolve(file), cli.out());
  }

  @Test
  void jsonHasTheDocumentedFieldsInTheirOrder() throws IOException {
    JsonNode plan = new ObjectMapper().readTree(plan("findings", "json").out());
    assertThat(fields(plan)).containsExactly("profile", "executor", "why", "nodes", "whatIf");
    assertThat(fields(plan.get("whatIf").get(0)))
        .containsExactly("way", "slots", "cores", "executorCpus", "strandedCpus", "cpus", "todo");
    assertThat(fields(plan.get("executor")))
        .containsExactly(
            "cpus",
            "taskSlots",
            "heapBytes",
            "memoryOverheadBytes",
            "offHeapBytes",
            "pageCacheBytes",
            "podMemoryBytes",
            "jvmOptions",
            "sparkConf");
    JsonNode node = plan.get("nodes").get(1);
    assertThat(fields(node))
        .containsExactly("name", "pinnedBy", "kubeletVersion", "slots", "stranded", "findings");
    assertThat(fields(node.get("slots").get(0))).containsExactly("numaNode", "cpus");
    assertThat(fields(node.get("stranded"))).containsExactly("cpus", "memoryBytes");
    assertThat(fields(node.get("findings").get(0)))
        .containsExactly("severity", "reason", "message", "remedy");
  }

  @Test
  void explainHasTheDocumentedFieldsInTheirOrder() throws IOException {
    JsonNode explain = new ObjectMapper().readTree(plan("explain", "json").out()).get("explain");
    assertThat(fields(explain))
        .containsExactly(
            "candidates", "jvmOptions", "sparkProperties", "reservations", "compromises");
    assertThat(fields(explain.get("jvmOptions").get(0))).containsExactly("text", "why");
    assertThat(fields(explain.get("candidates").get(1)))
        .containsExactly(
            "cores",
            "cpus",
            "taskSlots",
            "heapBytes",
            "memoryOverheadBytes",
            "pageCacheBytes",
            "podMemoryBytes",
            "executors",
            "classes",
            "strandedCpus",
            "strandedMemoryBytes",
            "cacheDomains",
            "straddling",
            "lost");
    assertThat(explain.get("candidates").get(0).has("lost")).isFalse();
    assertThat(fields(explain.get("candidates").get(0).get("classes").get(0)))
        .containsExactly("nodeClass", "executorsPerNumaNode");
    assertThat(fields(explain.get("reservations").get(0)))
        .containsExactly(
            "nodeClass",
            "reservedCpus",
            "insteadOf",
            "executors",
            "executorsNow",
            "straddling",
            "straddlingNow",
            "text");
    assertThat(fields(explain.get("compromises").get(0)))
        .containsExactly(
            "nodeClass",
            "nodes",
            "executors",
            "cpus",
            "ownCores",
            "ownHeapBytes",
            "ownExecutors",
            "ownCpus");
  }

  @Test
  void propertiesHaveTheDocumentedFieldsInTheirOrder() throws IOException {
    JsonNode application =
        new ObjectMapper().readTree(plan("properties", "json").out()).get("application");
    for (JsonNode property : application.get("properties")) {
      assertThat(fields(property)).containsExactly("key", "value", "from", "replaced");
      assertThat(fields(property.get("from").get(0))).containsExactly("origin", "source", "value");
    }
  }

  @Test
  void propertiesNeedAnApplication() {
    Cli cli =
        Cli.run(
            "plan",
            "--properties",
            "-f",
            PLAN.resolve("topology.yaml"),
            "-f",
            PLAN.resolve("profile.yaml"));
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .contains("--properties: there is no SparkApplication in the files; add one with -f");
  }

  @Test
  void nodesWithoutTopologyOrSlotsAreInTheirPlaceAndHaveARemedy() throws IOException {
    JsonNode nodes = new ObjectMapper().readTree(plan("findings", "json").out()).get("nodes");
    assertThat(nodes.findValuesAsText("name")).isSorted();
    for (JsonNode node : nodes) {
      assertThat(node.get("findings").findValuesAsText("remedy")).doesNotContain("");
    }
  }

  @Test
  void yamlAndJsonSayTheSame() throws IOException {
    assertThat(new ObjectMapper(new YAMLFactory()).readTree(plan("application", "yaml").out()))
        .isEqualTo(new ObjectMapper().readTree(plan("application", "json").out()));
  }

  private static Cli plan(String name, String format) {
    List<Object> arguments = new ArrayList<>(List.of("plan", "-o", format));
    arguments.addAll(
        switch (name) {
          case "profile" -> files("topology.yaml", "profile.yaml");
          case "application" -> files("topology.yaml", "profile.yaml", "application.yaml");
          case "pages" -> files("topology.yaml", "profile.yaml", "pages-application.yaml");
          case "shortfall" -> files("topology.yaml", "large-profile.yaml");
          case "refused" -> files("topology.yaml", "profile.yaml", "refused-application.yaml");
          case "findings" ->
              files("topology.yaml", "worse-topologies.yaml", "expecting-profile.yaml");
          case "runtime" -> files("topology.yaml", "worse-topologies.yaml", "runtime-profile.yaml");
          case "explain" -> {
            List<Object> explained =
                files("topology.yaml", "worse-topologies.yaml", "explain-profile.yaml");
            explained.add("--explain");
            yield explained;
          }
          case "properties" -> {
            List<Object> explained =
                files("topology.yaml", "profile.yaml", "properties-application.yaml");
            explained.add("--properties");
            yield explained;
          }
          case "ordinary" -> files("topology.yaml", "profile.yaml", "ordinary-application.yaml");
          default -> throw new IllegalArgumentException(name);
        });
    return Cli.run(arguments.toArray());
  }

  private static List<Object> files(String... names) {
    List<Object> arguments = new ArrayList<>();
    for (String name : names) {
      arguments.add("-f");
      arguments.add(PLAN.resolve(name));
    }
    return arguments;
  }

  private static List<String> fields(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
