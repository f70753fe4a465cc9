package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemdStatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final SparkNodeProfileStatus BEFORE = SparkNodeProfileStatus.of(1L, List.of());

  @ParameterizedTest
  @CsvSource({
    // heartbeat, condition, safe, moved
    "11:59, True,  1, 0",
    "11:59, False, 0, 1",
    "11:59, -,     0, 0",
    "11:40, False, 0, 0",
    "11:40, True,  0, 0",
  })
  void aNodeCountsWhileItsAgentReports(String heartbeat, String agrees, int safe, int moved) {
    SystemdStates states = SystemdStates.of(nodes(Map.of("a", topology(heartbeat, agrees))), NOW);
    assertThat(states.agreeing()).isEqualTo(safe);
    assertThat(states.messages()).hasSize(moved);
    if (safe + moved == 0) {
      assertThat(states.counts()).isEmpty();
      assertThat(states.addTo(BEFORE, profile(), NOW)).isEqualTo(BEFORE);
    } else {
      assertThat(states.counts())
          .containsOnly(Map.entry("Agrees", safe), Map.entry("ReloadMovesContainers", moved));
    }
  }

  @Test
  void aNodeWithoutTopologyDoesNotCount() {
    SortedMap<String, Optional<SparkNodeTopology>> nodes = new TreeMap<>();
    nodes.put("a", Optional.empty());
    assertThat(SystemdStates.of(nodes, NOW).counts()).isEmpty();
  }

  @Test
  void theConditionNamesThreeNodesWithWhatTheirAgentsSay() {
    SortedMap<String, Optional<SparkNodeTopology>> nodes = new TreeMap<>();
    for (String name : List.of("a", "b", "c", "d")) {
      nodes.put(name, Optional.of(topology("11:59", "False")));
    }
    nodes.put("e", Optional.of(topology("11:59", "True")));
    Condition condition = condition(SystemdStates.of(nodes, NOW));
    assertThat(condition.getStatus()).isEqualTo("False");
    assertThat(condition.getReason()).isEqualTo("ReloadMovesContainers");
    assertThat(condition.getMessage())
        .isEqualTo(
            "a reload of systemd moves containers on 4 of 5 nodes: a: 8-11 becomes 0-3; b: 8-11 becomes 0-3; c: 8-11 becomes 0-3; and 1 more");
  }

  @Test
  void allSafeIsTrue() {
    Condition condition =
        condition(SystemdStates.of(nodes(Map.of("a", topology("11:59", "True"))), NOW));
    assertThat(condition.getStatus()).isEqualTo("True");
    assertThat(condition.getReason()).isEqualTo("Agrees");
  }

  private static Condition condition(SystemdStates states) {
    List<Condition> conditions = states.addTo(BEFORE, profile(), NOW).conditions();
    assertThat(conditions).hasSize(1);
    assertThat(conditions.get(0).getType()).isEqualTo("SystemdAgrees");
    return conditions.get(0);
  }

  private static SortedMap<String, Optional<SparkNodeTopology>> nodes(
      Map<String, SparkNodeTopology> topologies) {
    SortedMap<String, Optional<SparkNodeTopology>> nodes = new TreeMap<>();
    topologies.forEach((name, topology) -> nodes.put(name, Optional.of(topology)));
    return nodes;
  }

  private static SparkNodeTopology topology(String heartbeat, String agrees) {
    String condition =
        agrees.equals("-")
            ? ""
            : "{type: SystemdAgrees, status: \"%s\", reason: R, message: 8-11 becomes 0-3}"
                .formatted(agrees);
    return Serialization.unmarshal(
        """
        metadata: {name: a}
        status:
          heartbeat: "2026-01-01T%s:00Z"
          conditions: [%s]
        """
            .formatted(heartbeat, condition),
        SparkNodeTopology.class);
  }

  private static SparkNodeProfile profile() {
    SparkNodeProfile profile = Samples.profile("p", "a");
    profile.getMetadata().setGeneration(1L);
    return profile;
  }
}
