package io.numaspark.controller.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.numaspark.controller.fixture.ChartTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Releases of the chart in one cluster do not get into each other's way; docs/install.md says what
 * has to differ.
 */
class SideBySideTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AGENT_LABEL = "numaspark.io/agent";

  @ParameterizedTest
  @CsvSource({
    "default, team-b",
    "default, team-c",
    "default, everything",
    "everything, team-b",
    "everything, team-c",
    "team-b, team-c"
  })
  void releasesShareNothing(String one, String other) {
    ChartTree first = ChartTree.of(one);
    ChartTree second = ChartTree.of(other);
    Set<String> both = new TreeSet<>(first.identities());
    assertThat(both).isNotEmpty();
    both.retainAll(second.identities());
    assertThat(both).as("objects of both releases").isEmpty();

    Set<String> folders = sharedFolders(first);
    folders.retainAll(sharedFolders(second));
    assertThat(folders).as("folders of nodes that both write").isEmpty();

    assertThat(selected(first, second)).as("pods of the other that a selector takes").isEmpty();
    assertThat(selected(second, first)).isEmpty();
  }

  /** With the defaults of both, drivers would have one account that two releases own. */
  @Test
  void withoutNamespacesOfTheirOwnDriversCollide() {
    Set<String> both = new TreeSet<>(ChartTree.of("default").identities());
    both.retainAll(ChartTree.of("same-namespaces").identities());
    assertThat(both)
        .containsExactly(
            "Role default/spark", "RoleBinding default/spark", "ServiceAccount default/spark");
  }

  private static Set<String> sharedFolders(ChartTree tree) {
    Set<String> folders = new TreeSet<>();
    for (GenericKubernetesResource object : tree.objects()) {
      JsonNode spec = JSON.valueToTree(object).path("spec");
      if (object.getKind().equals("PersistentVolume")
          && spec.path("accessModes").path(0).asText().equals("ReadWriteMany")) {
        folders.add(spec.at("/hostPath/path").asText());
      }
    }
    return folders;
  }

  /** Selectors of one release that match pods of another, in whatever namespace. */
  private static List<String> selected(ChartTree selecting, ChartTree other) {
    List<Map<String, String>> pods =
        other.objects().stream().flatMap(SideBySideTest::podLabels).toList();
    assertThat(pods).isNotEmpty();
    List<String> selected = new ArrayList<>();
    for (GenericKubernetesResource object : selecting.objects()) {
      Map<String, String> selector = selector(object);
      if (!selector.isEmpty()
          && pods.stream().anyMatch(labels -> labels.entrySet().containsAll(selector.entrySet()))) {
        selected.add(object.getKind() + " " + object.getMetadata().getName());
      }
    }
    return selected;
  }

  private static Stream<Map<String, String>> podLabels(GenericKubernetesResource object) {
    JsonNode tree = JSON.valueToTree(object);
    JsonNode labels =
        object.getKind().equals("Pod")
            ? tree.at("/metadata/labels")
            : tree.at("/spec/template/metadata/labels");
    return labels.isMissingNode() ? Stream.empty() : Stream.of(strings(labels));
  }

  private static Map<String, String> selector(GenericKubernetesResource object) {
    JsonNode spec = JSON.valueToTree(object).path("spec");
    for (String path : new String[] {"/selector/matchLabels", "/podSelector/matchLabels"}) {
      if (!spec.at(path).isMissingNode()) {
        return strings(spec.at(path));
      }
    }
    return object.getKind().equals("Service") ? strings(spec.path("selector")) : Map.of();
  }

  private static Map<String, String> strings(JsonNode node) {
    return JSON.convertValue(
        node, JSON.getTypeFactory().constructMapType(Map.class, String.class, String.class));
  }

  @Test
  void theSelectorsOfAgentsTellTheirKindsApart() {
    List<Map<String, String>> selectors =
        ChartTree.of("everything").objects().stream()
            .filter(object -> object.getKind().equals("DaemonSet"))
            .map(SideBySideTest::selector)
            .toList();
    assertThat(selectors)
        .extracting(labels -> labels.get(AGENT_LABEL))
        .containsExactly("observe", "enforce", "pin", "enforce-and-pin");
  }
}
