package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.PINNING_KUBELET;
import static io.numaspark.render.fixture.Specs.matched;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last executor of a node must find memory that its kubelet gives to pods. */
class NodeMemoryTest {
  private static final long GIB = 1L << 30;

  /** 32 GiB of which pods get 26, and 2 GiB of huge pages. */
  private static final Node NODE =
      Serialization.unmarshal(
          """
          metadata: {name: a}
          status:
            capacity: {memory: 33554432Ki, hugepages-2Mi: 2Gi, cpu: "24"}
            allocatable: {memory: 26Gi, hugepages-2Mi: 2Gi, cpu: "24"}
          """,
          Node.class);

  @Test
  void executorsOfANodeFitIntoItsAllocatableMemory() {
    SparkNodeTopology topology = node("a", 6, "{}");
    assertThat(podBytes(topology)).as("as planned without it").isGreaterThan(28 * GIB);
    SparkNodeTopology known = NodeMemory.known(topology, NODE);
    assertThat(known.getSpec().kubelet().reservedMemoryTotal()).isEqualTo(4 * GIB);
    assertThat(podBytes(known)).isLessThanOrEqualTo(28 * GIB).isGreaterThan(25 * GIB);
    assertThat(
            ProfilePlanner.plan(profile(), matched(known), true).layoutByNode().get("a").findings())
        .noneMatch(finding -> finding.reason() == Reason.MEMORY_NOT_RESERVED);
  }

  /** Memory that all executors of the node request. */
  private static long podBytes(SparkNodeTopology topology) {
    Plan plan = (Plan) ProfilePlanner.plan(profile(), matched(topology), true).result();
    return plan.totalSlots() * plan.shape().memory().podBytes();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {PINNING_KUBELET, "{reservedMemory: {'0': 1}}", "{reservedMemoryTotal: 1}"})
  void whatTheTopologySaysCounts(String kubelet) {
    SparkNodeTopology topology = node("a", 6, kubelet);
    assertThat(NodeMemory.known(topology, NODE)).isSameAs(topology);
  }

  @Test
  void aNodeThatDoesNotTellChangesNothing() {
    SparkNodeTopology topology = node("a", 6, "{}");
    assertThat(NodeMemory.known(topology, new Node())).isSameAs(topology);
  }
}
