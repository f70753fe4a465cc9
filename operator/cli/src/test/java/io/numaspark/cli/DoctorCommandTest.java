package io.numaspark.cli;

import static io.numaspark.cli.Cli.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {
  private static final Path PLAN = Path.of("src/test/resources/plan");
  private static final Path DOCTOR = Path.of("src/test/resources/doctor");

  @TempDir private Path folder;

  /** Whole answers, byte for byte; {@code -Dgolden.update} writes them anew. */
  @ParameterizedTest
  @CsvSource({
    "table, 0, healthy.txt",
    "json, 0, healthy.json",
    "table, 1, fleet.txt",
    "json, 1, fleet.json",
    "table, 1, pods.txt"
  })
  void answersAsCommitted(String format, int exitCode, String file) throws IOException {
    Cli cli = doctor(format, file.replaceFirst("[.].*", ""));
    assertThat(cli.err()).isEmpty();
    assertThat(cli.exitCode()).isEqualTo(exitCode);
    GoldenFile.hold(DOCTOR.resolve("expected").resolve(file), cli.out());
  }

  @Test
  void theWorstComesFirstAndIsCounted() throws IOException {
    JsonNode answer = new ObjectMapper().readTree(doctor("json", "fleet").out());
    List<String> severities = new ArrayList<>();
    answer.get("findings").forEach(finding -> severities.add(finding.get("severity").asText()));
    assertThat(severities)
        .isSortedAccordingTo((a, b) -> "EWI".indexOf(a.charAt(0)) - "EWI".indexOf(b.charAt(0)));
    assertThat(severities.stream().filter("Error"::equals)).hasSize(answer.get("errors").asInt());
    assertThat(severities.stream().filter("Warning"::equals))
        .hasSize(answer.get("warnings").asInt());
    assertThat(severities.stream().filter("Info"::equals)).hasSize(answer.get("infos").asInt());
  }

  @Test
  void yamlAndJsonSayTheSame() throws IOException {
    assertThat(new ObjectMapper(new YAMLFactory()).readTree(doctor("yaml", "fleet").out()))
        .isEqualTo(new ObjectMapper().readTree(doctor("json", "fleet").out()));
  }

  @Test
  void equalFindingsOfManyNodesAreToldOnce() throws IOException {
    StringBuilder fleet = new StringBuilder();
    String one = Files.readString(PLAN.resolve("topology.yaml"));
    for (int i = 0; i < 12; i++) {
      fleet
          .append(one.replace("name: lab-vm", "name: n" + i).replace("\"0-1\"", "\"0\""))
          .append("---\n");
    }
    Cli cli = Cli.run("doctor", "-f", write("fleet.yaml", fleet.toString()));
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .containsOnlyOnce("LoneReservedThread")
        .contains("12 nodes (n0, n1, n10, n11, n2 and 7 more)")
        .endsWith("0 errors, 1 warning, 0 infos: 12 nodes of 1 kind.\n");
  }

  @Test
  void amongEqualsTheOneThatConcernsMoreCpusComesFirst() throws IOException {
    String one = Files.readString(PLAN.resolve("topology.yaml"));
    String few = one.replace("name: lab-vm", "name: a").replace("\"0-1\"", "\"0\"");
    String none = one.replaceFirst("cpuManagerPolicy: static", "cpuManagerPolicy: none");
    assertThat(none).isNotEqualTo(one);
    String fleet =
        String.join(
            "---\n",
            few,
            none.replace("name: lab-vm", "name: b"),
            one.replace("name: lab-vm", "name: c").replace("\"0-1\"", "\"2\""),
            one.replace("name: lab-vm", "name: d").replace("\"0-1\"", "\"2\""));
    Cli cli = Cli.run("doctor", "-o", "json", "-f", write("fleet.yaml", fleet));
    Map<String, List<Integer>> cpus = new LinkedHashMap<>();
    new ObjectMapper()
        .readTree(cli.out())
        .get("findings")
        .forEach(
            finding ->
                cpus.computeIfAbsent(
                        finding.get("severity").asText(), severity -> new ArrayList<>())
                    .add(finding.get("cpus").asInt()));
    assertThat(cpus.keySet()).startsWith("Error", "Warning");
    assertThat(cpus.values())
        .allSatisfy(numbers -> assertThat(numbers).isSortedAccordingTo(Comparator.reverseOrder()));
    assertThat(cpus.get("Warning")).startsWith(32).contains(16);
  }

  @Test
  void anApplicationThatItsProfileRefusesIsAnError() {
    Cli cli =
        Cli.run(
            "doctor",
            "-f",
            PLAN.resolve("topology.yaml"),
            "-f",
            PLAN.resolve("profile.yaml"),
            "-f",
            PLAN.resolve("refused-application.yaml"));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).startsWith("Error ApplicationRefused: SparkApplication ");
  }

  @Test
  void anApplicationWithoutProfileIsNotPinned() throws IOException {
    String application =
        Files.readString(PLAN.resolve("application.yaml")).replace("  nodeProfile: lab\n", "");
    Cli cli =
        Cli.run(
            "doctor", "-f", PLAN.resolve("topology.yaml"), "-f", write("app.yaml", application));
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).startsWith("Warning ApplicationNotPinned: SparkApplication pi\n");
  }

  @Test
  void aProfileThatFitsNowhereIsAnError() {
    Cli cli =
        Cli.run(
            "doctor",
            "-f",
            PLAN.resolve("topology.yaml"),
            "-f",
            PLAN.resolve("large-profile.yaml"));
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.out()).startsWith("Error ExecutorTooLarge: SparkNodeProfile ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          profile.yaml                               | no SparkNodeTopology in the files; add one with -f
          topology.yaml profile.yaml profile.yaml    | more than one SparkNodeProfile in the files; give one
          topology.yaml topology.yaml                | two SparkNodeTopology objects are named lab-vm; each is one node
          topology.yaml application.yaml             | SparkApplication pi: spec.nodeProfile is lab, which is not in the files; add it with -f
          """)
  void badInputIsNamed(String files, String message) {
    List<Object> arguments = new ArrayList<>(List.of("doctor"));
    for (String file : files.split(" ")) {
      arguments.add("-f");
      arguments.add(PLAN.resolve(file));
    }
    assertRefused(Cli.run(arguments.toArray()), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {metadata: {name: p}, spec: {containers: []}}                                    | Pod p: spec.containers: is empty; a pod needs
          {metadata: {name: p}}                                                            | Pod p: spec.containers: is empty; a pod needs
          {spec: {containers: [{name: a}]}}                                                | has no metadata.name; give it one
          {metadata: {name: p}, spec: {containers: 4}}                                     | spec.containers: '4' is not a list
          {metadata: {name: p}, spec: {containers: [{name: a, resources: {limits: {cpu: x, memory: 1Gi}}}]}} | Pod p: spec.containers[0]
          """)
  void brokenPodsAreNamed(String pod, String message) throws IOException {
    Path file = write("pod.yaml", "{apiVersion: v1, kind: Pod, " + pod.substring(1));
    Cli cli = Cli.run("doctor", "-f", PLAN.resolve("topology.yaml"), "-f", file);
    assertThat(cli.err()).contains(message);
    assertRefused(cli, "");
  }

  private static Cli doctor(String format, String name) {
    List<Object> arguments = new ArrayList<>(List.of("doctor", "-o", format));
    List<Path> files =
        switch (name) {
          case "healthy" ->
              List.of(
                  PLAN.resolve("topology.yaml"),
                  PLAN.resolve("profile.yaml"),
                  PLAN.resolve("application.yaml"));
          case "fleet" ->
              List.of(
                  PLAN.resolve("topology.yaml"),
                  PLAN.resolve("worse-topologies.yaml"),
                  PLAN.resolve("expecting-profile.yaml"));
          case "pods" -> List.of(PLAN.resolve("topology.yaml"), DOCTOR.resolve("pods.yaml"));
          default -> throw new IllegalArgumentException(name);
        };
    for (Path file : files) {
      arguments.add("-f");
      arguments.add(file);
    }
    return Cli.run(arguments.toArray());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
