package io.numaspark.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.planner.fixture.Page;
import io.numaspark.planner.fixture.Page.Block;
import io.numaspark.schema.CustomResourceSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What docs/pipelines.md says to other programs about our objects: states and conditions exist,
 * manifests within manifests are admitted, and Flux' expressions judge the statuses that the
 * operator writes.
 */
class PipelinesTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Path STATUSES =
      REPOSITORY.resolve("operator/controller/src/test/resources/golden/gitops");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Set<State> NO_LONGER_WRITTEN = Set.of(State.PENDING, State.RESUMING);
  private static final Pattern STATE =
      Pattern.compile("(?:state}'?=|state == |state in \\()([A-Z_]+(?:, [A-Z_]+)*)");
  private static final Pattern CONDITION = Pattern.compile("--for=condition=(\\w+)");
  private static final Pattern JSON_PATH = Pattern.compile("jsonpath='\\{([.\\w]+)}'");
  private static final CelCompiler COMPILER =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addVar("metadata", SimpleType.DYN)
          .addVar("status", SimpleType.DYN)
          .setResultType(SimpleType.BOOL)
          .build();
  private static final CelRuntime RUNTIME = CelRuntimeFactory.standardCelRuntimeBuilder().build();

  private final Page page = page();

  /** A status with what kstatus and Argo CD make of it. */
  record Example(String file, JsonNode object, String kstatus, String argoCd) {
    @Override
    public String toString() {
      return file;
    }
  }

  static Stream<Example> statuses() throws IOException {
    List<Example> examples = new ArrayList<>();
    for (String line : Files.readAllLines(STATUSES.resolve("expected.tsv"))) {
      String[] fields = line.split("\t");
      JsonNode object = YAML.readTree(STATUSES.resolve(fields[0]).toFile());
      examples.add(new Example(fields[0], object, fields[1], fields[2]));
    }
    return examples.stream();
  }

  @Test
  void statesAndConditionsExist() {
    List<String> states =
        found(STATE).flatMap(match -> Stream.of(match.group(1).split(", "))).toList();
    assertThat(states)
        .hasSizeGreaterThan(5)
        .allSatisfy(state -> assertThat(State.valueOf(state)).isNotIn(NO_LONGER_WRITTEN));
    assertThat(found(CONDITION).map(match -> match.group(1)))
        .hasSizeGreaterThan(2)
        .allMatch(Set.of("Ready", "Pinned", "Reconciling", "Stalled")::contains);
    assertThat(found(JSON_PATH).map(match -> match.group(1)))
        .isNotEmpty()
        .containsOnly(".status.applicationState.state");
  }

  @Test
  void manifestsInWorkflowsAreAdmitted() throws IOException {
    List<JsonNode> resources = new ArrayList<>();
    for (Block block : page.blocks()) {
      if (block.text().contains("kind: Workflow")) {
        YAML.readTree(block.text()).findValues("resource").forEach(resources::add);
      }
    }
    assertThat(resources).isNotEmpty();
    for (JsonNode resource : resources) {
      JsonNode manifest = YAML.readTree(resource.path("manifest").asText());
      ObjectNode metadata = (ObjectNode) manifest.path("metadata");
      metadata.put("name", metadata.path("generateName").asText() + "abcde");
      assertThat(CustomResourceSchema.of(SparkApplication.class).check(manifest)).isEmpty();
      assertThat(resource.path("successCondition").asText()).endsWith("state == COMPLETED");
      assertThat(resource.path("failureCondition").asText()).contains("FAILED");
    }
  }

  /** More is healthy than kstatus says; what has failed for the one has failed for the other. */
  @ParameterizedTest
  @MethodSource("statuses")
  void expressionsForFluxJudgeStatuses(Example example) throws Exception {
    String kind = example.object().path("kind").asText();
    for (JsonNode expressions : YAML.readTree(kustomization()).at("/spec/healthCheckExprs")) {
      if (expressions.path("kind").asText().equals(kind)) {
        boolean overruled =
            kind.equals("SparkApplication") && example.argoCd().equals("Suspended")
                || example.file().equals("profile-on-templates.yaml");
        assertThat(judged(expressions, example.object()))
            .isEqualTo(overruled ? "Current" : example.kstatus());
      }
    }
  }

  /** In Flux' order. */
  private static String judged(JsonNode expressions, JsonNode object) throws Exception {
    if (holds(expressions.path("inProgress").asText(), object)) {
      return "InProgress";
    }
    if (holds(expressions.path("failed").asText(), object)) {
      return "Failed";
    }
    return holds(expressions.path("current").asText(), object) ? "Current" : "InProgress";
  }

  private static boolean holds(String expression, JsonNode object) throws Exception {
    Map<String, Object> variables = new HashMap<>();
    for (String field : List.of("metadata", "status")) {
      variables.put(field, YAML.convertValue(object.path(field), Map.class));
    }
    return (boolean) RUNTIME.createProgram(COMPILER.compile(expression).getAst()).eval(variables);
  }

  private String kustomization() {
    return page.blocks().stream()
        .map(Block::text)
        .filter(text -> text.contains("kind: Kustomization"))
        .findFirst()
        .orElseThrow();
  }

  private Stream<MatchResult> found(Pattern pattern) {
    return pattern.matcher(page.text()).results();
  }

  private static Page page() {
    try {
      Path file = REPOSITORY.resolve("docs/pipelines.md");
      return new Page(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
