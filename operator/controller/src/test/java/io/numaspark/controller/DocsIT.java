package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.planner.fixture.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every manifest that a reader could copy from a page, an example or the demo, or that {@code
 * numaspark convert} makes, is admitted as it stands, or refused where the page says so.
 *
 * <p>Limit: of Kubernetes' own kinds and ours; manifests of other operators are held to {@code
 * numaspark convert} and {@code inject} by the tests of the command.
 */
@ExtendWith(ApiServer.class)
class DocsIT {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final List<String> FOLDERS =
      List.of("docs", "lab/demo", "operator/cli/src/test/resources/golden/convert/after");
  private static final Pattern MANIFEST =
      Pattern.compile(
          "(?m)^apiVersion: (?:v1|(?!sparkoperator|kubelet)[a-z.]+[.]k8s[.]io/v1|numaspark[.]io/.*)$");

  /** It has neither name nor image; InjectDocumentGoldenTest holds it to the command. */
  private static final String POD_TEMPLATE = "# Written by numaspark inject.";

  private static final Pattern OURS = Pattern.compile("(?m)^apiVersion: numaspark[.]io/");

  private static KubernetesClient client;

  /** A document and, where it is to be refused, a part of the message. */
  record Example(String where, String manifest, Optional<String> refused) {
    @Override
    public String toString() {
      return where;
    }
  }

  @BeforeAll
  static void connect() {
    client = ApiServer.client();
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  static Stream<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    for (Page page : Page.all()) {
      page.blocks().stream()
          .filter(block -> block.language().equals("yaml") && block.notChecked().isEmpty())
          .forEach(
              block -> add(page.toString(), MANIFEST, block.text(), block.refused(), examples));
    }
    for (String folder : FOLDERS) {
      try (Stream<Path> found = Files.walk(REPOSITORY.resolve(folder))) {
        for (Path file : found.filter(file -> file.toString().endsWith(".yaml")).toList()) {
          String where = REPOSITORY.relativize(file).toString();
          add(where, OURS, Files.readString(file), Optional.empty(), examples);
        }
      }
    }
    return examples.stream();
  }

  private static void add(
      String where, Pattern kind, String yaml, Optional<String> refused, List<Example> examples) {
    for (String document : yaml.split("(?m)^---\n")) {
      if (kind.matcher(document).find() && !document.startsWith(POD_TEMPLATE)) {
        examples.add(new Example(where, document, refused));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void exampleIsAdmittedOrRefusedAsThePageSays(Example example) {
    if (example.refused().isPresent()) {
      assertThatThrownBy(() -> apply(example.manifest()))
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining(example.refused().get());
    } else {
      assertThat(apply(example.manifest()).getMetadata().getUid()).isNotBlank();
    }
  }

  /** Namespaces of examples are not there, so all is applied to one that is. */
  private static GenericKubernetesResource apply(String manifest) {
    GenericKubernetesResource example =
        Serialization.unmarshal(manifest, GenericKubernetesResource.class);
    if (isNamespaced(example)) {
      example.getMetadata().setNamespace("default");
    }
    return client.resource(example).dryRun().fieldValidation(Validation.STRICT).create();
  }

  private static boolean isNamespaced(GenericKubernetesResource example) {
    return client.getApiResources(example.getApiVersion()).getResources().stream()
        .anyMatch(
            resource -> resource.getKind().equals(example.getKind()) && resource.getNamespaced());
  }
}
