package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every custom resource that a reader could copy from the README, the docs or the demo, or that
 * {@code numaspark convert} makes, is admitted as it stands.
 */
@ExtendWith(ApiServer.class)
class DocsIT {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final String CONVERTED = "operator/cli/src/test/resources/golden/convert/after";
  private static final Pattern YAML_BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  private static KubernetesClient client;

  @BeforeAll
  static void connect() {
    client = ApiServer.client();
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  static Stream<Arguments> examples() throws IOException {
    List<Arguments> examples = new ArrayList<>();
    for (Path file : files()) {
      String text = Files.readString(file);
      Matcher block = YAML_BLOCK.matcher(text);
      if (!file.toString().endsWith(".md")) {
        addDocuments(examples, file, text);
      }
      while (block.find()) {
        addDocuments(examples, file, block.group(1));
      }
    }
    return examples.stream();
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>(List.of(REPOSITORY.resolve("README.md")));
    for (String folder : List.of("docs", "e2e/demo", CONVERTED)) {
      try (Stream<Path> found = Files.walk(REPOSITORY.resolve(folder))) {
        found
            .filter(file -> file.toString().matches(".*\\.(md|yaml)"))
            .sorted()
            .forEach(files::add);
      }
    }
    return files;
  }

  private static void addDocuments(List<Arguments> examples, Path file, String yaml) {
    for (String document : yaml.split("(?m)^---\n")) {
      if (document.contains("apiVersion: numaspark.io/")) {
        examples.add(Arguments.of(REPOSITORY.relativize(file).toString(), document));
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void exampleIsAdmitted(String file, String document) {
    GenericKubernetesResource example =
        Serialization.unmarshal(document, GenericKubernetesResource.class);
    if (example.getKind().endsWith("SparkApplication")) {
      example.getMetadata().setNamespace("default");
    }
    GenericKubernetesResource admitted =
        client.resource(example).dryRun().fieldValidation(Validation.STRICT).create();
    assertThat(admitted.getMetadata().getUid()).isNotBlank();
  }
}
