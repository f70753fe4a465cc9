package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * However broken the files are, every command ends, with an exit code and a sentence; never with a
 * stack trace. The damage is random but the same in every run.
 */
class BrokenInputTest {
  private static final int CASES = 700;
  private static final Path EXAMPLES =
      Path.of(System.getProperty("repository.root")).resolve("docs/examples/simulate");
  private static final Path PLAN = Path.of("src/test/resources/plan");
  private static final Path CONVERT = Path.of("src/test/resources/golden/convert/before");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** Values that are wrong nearly everywhere. */
  private static final List<String> WRONG =
      List.of(
          "0",
          "-1",
          "255",
          "1024",
          "9223372036854775807",
          "1e30",
          "1.5",
          "true",
          "''",
          "x",
          "~",
          "[]",
          "{}",
          "[{}]",
          "0-1023",
          "0-8191",
          "3-1",
          "0,0",
          "'0,'",
          "99999999999Gi",
          "1m",
          "single-numa-node",
          "Static");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"simulate", "plan", "doctor", "kubelet-config", "convert"})
  void aDamagedFileIsAnsweredWithASentence(String command) throws IOException {
    Path topology = PLAN.resolve("topology.yaml");
    Path profile = PLAN.resolve("profile.yaml");
    Path application = PLAN.resolve("application.yaml");
    Path pods = EXAMPLES.resolve("pods.yaml");
    List<Path> files =
        switch (command) {
          case "plan" -> List.of(topology, profile, application);
          case "doctor" -> List.of(topology, profile, application, pods);
          case "kubelet-config" -> List.of(topology, profile);
          case "convert" ->
              List.of(
                  CONVERT.resolve("kubeflow-many-fields.yaml"),
                  CONVERT.resolve("kubeflow-scheduled.yaml"),
                  CONVERT.resolve("apache-s3.yaml"),
                  CONVERT.resolve("apache-connect-server.yaml"));
          default -> List.of(EXAMPLES.resolve("topology.yaml"), pods);
        };
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      List<Object> arguments = new ArrayList<>(List.of(command));
      if (command.equals("kubelet-config")) {
        arguments.addAll(List.of("--for", "openshift"));
      }
      int damaged = random.nextInt(files.size());
      for (int i = 0; i < files.size(); i++) {
        arguments.add("-f");
        arguments.add(i == damaged ? damage(files.get(i), random) : files.get(i));
      }
      Cli cli =
          assertTimeoutPreemptively(
              Duration.ofMinutes(1), () -> Cli.run(arguments.toArray()), "seed " + seed);
      assertThat(cli.exitCode()).as("seed %d: %s", seed, cli.err()).isBetween(0, 2);
      // The API server calls an item without a value "null", in quotes.
      assertThat((cli.out() + cli.err()).replace("\"null\"", ""))
          .as("seed %d", seed)
          .isNotBlank()
          .doesNotContain("Exception", "\tat ", "null");
    }
  }

  /** A copy with one to three values replaced, removed or doubled. */
  private Path damage(Path file, Random random) throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    YAML.readerFor(JsonNode.class)
        .<JsonNode>readValues(file.toFile())
        .forEachRemaining(documents::add);
    for (int i = random.nextInt(3); i >= 0; i--) {
      hit(documents.get(random.nextInt(documents.size())), random);
    }
    StringBuilder text = new StringBuilder();
    for (JsonNode document : documents) {
      text.append(YAML.writeValueAsString(document));
    }
    return Files.writeString(Files.createTempFile(folder, "damaged", ".yaml"), text);
  }

  private static void hit(JsonNode document, Random random) throws IOException {
    List<JsonNode> containers = new ArrayList<>();
    collect(document, containers);
    JsonNode target = containers.get(random.nextInt(containers.size()));
    JsonNode wrong = YAML.readTree(WRONG.get(random.nextInt(WRONG.size())));
    if (target instanceof ObjectNode object && !object.isEmpty()) {
      List<String> fields = new ArrayList<>();
      object.fieldNames().forEachRemaining(fields::add);
      String field = fields.get(random.nextInt(fields.size()));
      switch (random.nextInt(4)) {
        case 0 -> object.remove(field);
        case 1 -> object.set(field + "s", object.get(field));
        default -> object.set(field, wrong);
      }
    } else if (target instanceof ArrayNode array && !array.isEmpty()) {
      int index = random.nextInt(array.size());
      switch (random.nextInt(4)) {
        case 0 -> array.remove(index);
        case 1 -> array.add(array.get(index).deepCopy());
        case 2 -> array.set(index, TextNode.valueOf("0-1023"));
        default -> array.set(index, wrong);
      }
    }
  }

  private static void collect(JsonNode node, List<JsonNode> containers) {
    if (node.isContainerNode()) {
      containers.add(node);
      node.forEach(child -> collect(child, containers));
    }
  }
}
