package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.PINNING_KUBELET;
import static io.numaspark.render.fixture.Specs.matched;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.plan.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Node object knows the kubelet's version, and tells it after each upgrade. */
class NodeFactsTest {

  @ParameterizedTest
  @CsvSource({"v1.33.4-eks-abc, 1.33", "v1.36.0+k3s1, 1.36"})
  void theNodesVersionIsPlannedBy(String reported, String version) {
    SparkNodeTopology known = NodeFacts.known(node("a", 6, PINNING_KUBELET), reporting(reported));
    assertThat(known.getSpec().kubelet().version()).isEqualTo(version);
    assertThat(TopologyTranslator.machine(known.getSpec()).kubelet().version())
        .get()
        .hasToString(version);
  }

  @Test
  void theNodeCountsMoreThanATopologyFromBeforeTheUpgrade() {
    SparkNodeTopology topology = node("a", 6, "{version: '1.35'}");
    assertThat(NodeFacts.known(topology, reporting("v1.36.1")).getSpec().kubelet().version())
        .isEqualTo("1.36");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "garbage", "v1"})
  void whatIsNoVersionChangesNothing(String reported) {
    SparkNodeTopology topology = node("a", 6, "{version: v1.35.2}");
    assertThat(NodeFacts.known(topology, reporting(reported))).isSameAs(topology);
    assertThat(TopologyTranslator.machine(topology.getSpec()).kubelet().version())
        .get()
        .hasToString("1.35");
  }

  @Test
  void aNodeWithoutStatusChangesNothing() {
    SparkNodeTopology topology = node("a", 6, "{}");
    assertThat(NodeFacts.known(topology, new Node())).isSameAs(topology);
  }

  @Test
  void aVersionThatIsNotModelledIsPlannedWithAWarning() {
    SparkNodeTopology known = NodeFacts.known(node("a", 6, PINNING_KUBELET), reporting("v1.31.9"));
    ProfilePlanner.ProfilePlan plan = ProfilePlanner.plan(profile(), matched(known), false);
    assertThat(plan.slotsByNode()).containsKey("a");
    assertThat(plan.layoutByNode().get("a").findings())
        .filteredOn(finding -> finding.reason() == Reason.KUBELET_NOT_COVERED)
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.message())
                    .isEqualTo(
                        "predictions for kubelet 1.31 are those of 1.32, the oldest that is modelled"));
  }

  @Test
  void nodesThatTheRuntimePinsAreOneClassWhateverTheirVersion() {
    ProfilePlanner.ProfilePlan plan =
        ProfilePlanner.plan(
            profile(),
            matched(
                NodeFacts.known(node("a", 6, "{}"), reporting("v1.35.0")),
                NodeFacts.known(node("b", 6, "{}"), reporting("v1.36.0"))),
            true);
    assertThat(plan.result().layouts()).hasSize(1);
  }

  private static Node reporting(String version) {
    return new NodeBuilder()
        .withNewStatus()
        .withNewNodeInfo()
        .withKubeletVersion(version)
        .endNodeInfo()
        .endStatus()
        .build();
  }
}
