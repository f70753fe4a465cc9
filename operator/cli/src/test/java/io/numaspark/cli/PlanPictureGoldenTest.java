package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the pictures of {@code numaspark plan} to files, byte for byte, and those in docs/ to what
 * the command draws; {@code -Dgolden.update} writes them anew.
 */
class PlanPictureGoldenTest {
  private static final Path PLAN = Path.of("src/test/resources/plan");
  private static final Path CAPTURED = Path.of("src/test/resources/topology/expected");
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern COMMAND =
      Pattern.compile("\\$ numaspark (plan [^\n]*-o svg) > (docs/images/[a-z0-9-]+[.]svg)\n");
  private static final Pattern CPU = Pattern.compile(" class=\"on[a-z-]*\"[^>]*>([0-9]+)</text>");

  @ParameterizedTest
  @CsvSource({
    "svg, 0, topology.yaml profile.yaml application.yaml, application",
    "html, 0, topology.yaml profile.yaml application.yaml, application",
    "svg, 0, topology.yaml profile.yaml, profile",
    "html, 0, topology.yaml profile.yaml, profile",
    "html, 0, topology.yaml worse-topologies.yaml expecting-profile.yaml, findings",
    "html, 1, topology.yaml large-profile.yaml, shortfall",
    "html, 0, topology.yaml worse-topologies.yaml runtime-profile.yaml, runtime",
    "svg, 0, topology.yaml worse-topologies.yaml runtime-profile.yaml, runtime",
    "html, 1, topology.yaml profile.yaml refused-application.yaml, refused",
    "html, 0, topology.yaml profile.yaml ordinary-application.yaml, ordinary"
  })
  void drawsAsCommitted(String format, int exitCode, String files, String name) throws IOException {
    Cli cli = plan(format, Stream.of(files.split(" ")).map(PLAN::resolve).toList());
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isEqualTo(exitCode);
    GoldenFile.hold(PLAN.resolve("expected").resolve(name + "." + format), cli.out());
  }

  @Test
  void picturesOfTheDocsAreWhatTheirCommandDraws() throws IOException {
    List<String> drawn = new ArrayList<>();
    Matcher commands =
        COMMAND.matcher(Files.readString(REPOSITORY.resolve("docs/node-picture.md")));
    while (commands.find()) {
      Object[] arguments =
          Stream.of(commands.group(1).split(" "))
              .map(word -> word.startsWith("docs/") ? REPOSITORY.resolve(word) : word)
              .toArray();
      GoldenFile.hold(REPOSITORY.resolve(commands.group(2)), Cli.run(arguments).out());
      drawn.add(commands.group(2));
    }
    assertThat(drawn).isNotEmpty();
  }

  static List<Path> captured() throws IOException {
    try (Stream<Path> files = Files.list(CAPTURED)) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("captured")
  void everyCpuOfACapturedMachineIsDrawnOnce(Path topology) throws IOException {
    Cli cli = plan("svg", List.of(topology, PLAN.resolve("profile.yaml")));
    assertThat(cli.err()).isEmpty();
    List<Integer> cpus = new ArrayList<>();
    Matcher numbers = CPU.matcher(cli.out());
    while (numbers.find()) {
      cpus.add(Integer.parseInt(numbers.group(1)));
    }
    assertThat(cpus)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(cpusOfCores(topology));
  }

  @Test
  void aNodeClassIsDrawnOnceAndNamesItsNodes() throws IOException {
    String topology = Files.readString(PLAN.resolve("topology.yaml"));
    Path twin = Files.createTempFile("twin", ".yaml");
    Files.writeString(twin, topology.replace("lab-vm", "lab-<b>"));
    String html =
        plan(
                "html",
                List.of(
                    PLAN.resolve("topology.yaml"),
                    twin,
                    PLAN.resolve("profile.yaml"),
                    PLAN.resolve("application.yaml")))
            .out();
    Files.delete(twin);
    assertThat(html)
        .contains(">lab-&lt;b&gt; and 1 more like it</h2>", "Nodes: lab-&lt;b&gt;, lab-vm.")
        .contains("which of the 6 slots they take is up to the scheduler")
        .doesNotContain("<b>");
    assertThat(html.split("aria-label=\"Socket ", -1)).hasSize(3);
  }

  private static Cli plan(String format, List<Path> files) {
    List<Object> arguments = new ArrayList<>(List.of("plan", "-o", format));
    files.forEach(file -> arguments.addAll(List.of("-f", file)));
    return Cli.run(arguments.toArray());
  }

  private static List<Integer> cpusOfCores(Path topology) throws IOException {
    List<Integer> cpus = new ArrayList<>();
    for (JsonNode numaNode : YAML.readTree(topology.toFile()).at("/spec/numaNodes")) {
      for (JsonNode core : numaNode.path("cores")) {
        CpuSet.parse(core.asText()).stream().forEach(cpus::add);
      }
    }
    return cpus;
  }
}
