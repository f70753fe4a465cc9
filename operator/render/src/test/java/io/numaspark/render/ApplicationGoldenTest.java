package io.numaspark.render;

import static io.numaspark.render.fixture.Renderings.executor;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginJar;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.Policies;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.fixture.Resources;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds everything that is created for an application to the files of each case, byte for byte.
 *
 * <p>{@code -Dgolden.update} writes the files anew. A case without {@code profile.yaml} is an
 * ordinary application; {@code operator.yaml} has settings of the operator that are not its
 * defaults.
 */
class ApplicationGoldenTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path CASES = Path.of("src/test/resources/golden");

  static Stream<String> cases() throws IOException {
    try (Stream<Path> folders = Files.list(CASES)) {
      return folders.map(folder -> folder.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rendersAsCommitted(String name) throws IOException {
    Path folder = CASES.resolve(name);
    Path expected = folder.resolve("expected");
    Map<String, String> rendered = files(render(folder));
    for (Map.Entry<String, String> file : rendered.entrySet()) {
      GoldenFile.hold(expected.resolve(file.getKey()), file.getValue());
    }
    try (Stream<Path> files = Files.list(expected)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(rendered.keySet());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rendersTheSameTwice(String name) throws IOException {
    Path folder = CASES.resolve(name);
    assertThat(files(render(folder))).isEqualTo(files(render(folder)));
  }

  /** Lists follow the order of the concerns, and values do not. */
  @ParameterizedTest
  @MethodSource("cases")
  void noValueDependsOnTheOrderOfConcerns(String name) throws IOException {
    Manifests expected = render(CASES.resolve(name));
    for (int seed = 0; seed < 5; seed++) {
      List<Concern> concerns = new ArrayList<>(ApplicationRenderer.CONCERNS);
      Collections.shuffle(concerns, new Random(seed));
      Manifests shuffled = render(CASES.resolve(name), concerns);
      assertThat(shuffled.properties().explained())
          .as("seed %d: %s", seed, concerns)
          .isEqualTo(expected.properties().explained());
      assertThat(withoutOrder(shuffled)).isEqualTo(withoutOrder(expected));
    }
  }

  private static List<String> withoutOrder(Manifests manifests) {
    return Stream.concat(
            manifests.others().stream(),
            Stream.of(manifests.driverPod(), manifests.driverService(), executor(manifests)))
        .map(object -> sorted(JSON.valueToTree(object)).toString())
        .sorted()
        .toList();
  }

  private static JsonNode sorted(JsonNode tree) {
    if (tree.isArray()) {
      List<JsonNode> items = new ArrayList<>();
      tree.forEach(item -> items.add(sorted(item)));
      items.sort(Comparator.comparing(JsonNode::toString));
      return JSON.createArrayNode().addAll(items);
    }
    if (tree.isObject()) {
      ObjectNode object = JSON.createObjectNode();
      tree.properties().forEach(field -> object.set(field.getKey(), sorted(field.getValue())));
      return object;
    }
    return tree;
  }

  private static Map<String, String> files(Manifests manifests) {
    Map<String, String> data = manifests.configuration().getData();
    Map<String, String> files = new TreeMap<>();
    files.put("service.yaml", Serialization.asYaml(manifests.driverService()));
    files.put("configmap.yaml", Serialization.asYaml(manifests.configuration()));
    if (!manifests.others().isEmpty()) {
      files.put(
          "others.yaml",
          manifests.others().stream().map(Serialization::asYaml).collect(Collectors.joining()));
    }
    files.put("driver-pod.yaml", Serialization.asYaml(manifests.driverPod()));
    files.put("executor-pod-template.yaml", data.get("executor-pod-template.yaml"));
    files.put("spark.properties", data.get("spark.properties"));
    return files;
  }

  static Manifests render(Path folder) throws IOException {
    return render(folder, ApplicationRenderer.CONCERNS);
  }

  private static Manifests render(Path folder, List<Concern> concerns) throws IOException {
    SparkApplication application =
        Resources.application(Files.readString(folder.resolve("application.yaml")));
    RenderResult result =
        new ApplicationRenderer(
                new Policies("spark", UiPolicy.AS_ASKED, plugin(folder), Grants.AS_ASKED), concerns)
            .render(application, profileContext(folder));
    assertThat(result).isInstanceOf(Manifests.class);
    return (Manifests) result;
  }

  private static PluginPolicy plugin(Path folder) throws IOException {
    Path file = folder.resolve("operator.yaml");
    if (!Files.exists(file)) {
      return PluginPolicy.NONE;
    }
    JsonNode settings = Resources.tree(Files.readString(file));
    Set<String> namespaces = new TreeSet<>();
    settings.at("/sharedPages/namespaces").forEach(name -> namespaces.add(name.asText()));
    return new PluginPolicy(
        Optional.of(
            new PluginJar.InVolume(settings.path("pluginImage").asText(), Optional.empty())),
        true,
        new PluginPolicy.SharedPages(settings.at("/sharedPages/claim").asText(), namespaces));
  }

  private static Optional<ProfileContext> profileContext(Path folder) throws IOException {
    if (!Files.exists(folder.resolve("profile.yaml"))) {
      return Optional.empty();
    }
    SparkNodeProfile profile = Resources.profile(Files.readString(folder.resolve("profile.yaml")));
    List<MatchedNode> nodes =
        Resources.topologies(Files.readString(folder.resolve("topology.yaml"))).stream()
            .map(
                topology ->
                    new MatchedNode(topology.getMetadata().getName(), Optional.of(topology)))
            .toList();
    ProfilePlan plan = ProfilePlanner.plan(profile.getSpec(), nodes, false);
    assertThat(plan.result()).isInstanceOf(Plan.class);
    return Optional.of(
        ProfileContext.onNodes(
            profile.getMetadata().getName(),
            profile.getSpec(),
            plan.policy(),
            (Plan) plan.result()));
  }
}
