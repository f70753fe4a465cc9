package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.matched;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static io.numaspark.render.fixture.Specs.topology;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.PlanResult.Shortfall;
import io.numaspark.planner.plan.Reason;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProfilePlannerTest {
  private static final SparkNodeProfileSpec THREE_CORES =
      profile("executor: {coresPerExecutor: {preferred: 3}}");

  @Test
  void equalNodesAreOneClass() {
    ProfilePlan plan = ProfilePlanner.plan(THREE_CORES, matched(node("b", 4), node("a", 4)), false);
    assertThat(plan.result().layouts()).hasSize(1);
    assertThat(plan.result().layouts().get(0).nodeClass().name()).isEqualTo("a");
    assertThat(plan.result().layouts().get(0).nodeClass().nodes()).isEqualTo(2);
    assertThat(plan.slotsByNode()).isEqualTo(Map.of("a", 2, "b", 2));
    assertThat(plan.unusable()).isEmpty();
  }

  @Test
  void twoClassesGetOneShape() {
    ProfilePlan plan =
        ProfilePlanner.plan(THREE_CORES, matched(node("small", 4), node("big", 7)), false);
    assertThat(plan.result().layouts()).hasSize(2);
    assertThat(plan.slotsByNode()).isEqualTo(Map.of("small", 2, "big", 4));
    assertThat(((Plan) plan.result()).shape().cpus().cores()).isEqualTo(3);
  }

  @Test
  void orderOfNodesDoesNotMatter() {
    List<MatchedNode> nodes =
        new ArrayList<>(matched(node("a", 4), node("b", 7), node("c", 4), node("d", 2)));
    ProfilePlan plan = ProfilePlanner.plan(THREE_CORES, nodes, false);
    Collections.reverse(nodes);
    assertThat(ProfilePlanner.plan(THREE_CORES, nodes, false)).isEqualTo(plan);
  }

  @Test
  void aNodeWithoutTopologyIsNamedWithTheRemedy() {
    List<MatchedNode> nodes = new ArrayList<>(matched(node("known", 4)));
    nodes.add(new MatchedNode("unknown", Optional.empty()));
    ProfilePlan plan = ProfilePlanner.plan(THREE_CORES, nodes, false);
    assertThat(plan.slotsByNode()).containsOnlyKeys("known");
    assertUnusable(plan, "unknown", "NoTopology", "numaspark topology");
  }

  @Test
  void anInvalidTopologyNamesItsField() {
    List<MatchedNode> nodes = new ArrayList<>(matched(node("good", 4)));
    nodes.add(new MatchedNode("broken", Optional.of(topology("{numaNodes: []}"))));
    ProfilePlan plan = ProfilePlanner.plan(THREE_CORES, nodes, false);
    assertThat(plan.slotsByNode()).containsOnlyKeys("good");
    assertUnusable(plan, "broken", "TopologyInvalid", "SparkNodeTopology broken: spec.numaNodes");
  }

  @Test
  void aDifferingTopologyIsNotUsed() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile("topology: {coresPerNumaNode: 4}"),
            matched(node("same", 4), node("other", 5)),
            false);
    assertThat(plan.slotsByNode()).containsOnlyKeys("same");
    assertUnusable(
        plan, "other", "TopologyDiffers", "coresPerNumaNode (NUMA node 0) is 4, the node has 5");
    assertThat(plan.machines())
        .as("executors may still run there")
        .containsOnlyKeys("same", "other");
  }

  @Test
  void aNodeWithAnErrorIsUnusableAndTheOthersStay() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            THREE_CORES,
            matched(node("good", 4), node("none", 4, "{topologyManagerPolicy: single-numa-node}")),
            false);
    assertThat(plan.slotsByNode()).isEqualTo(Map.of("good", 2));
    assertThat(plan.layoutByNode()).containsOnlyKeys("good", "none");
    assertUnusable(plan, "none", "CpuManagerNotStatic", "set cpuManagerPolicy: static");
  }

  @Test
  void aNodeThatHoldsNoExecutorIsUnusable() {
    ProfilePlan plan =
        ProfilePlanner.plan(THREE_CORES, matched(node("good", 4), node("tiny", 2)), false);
    assertThat(plan.slotsByNode()).containsOnlyKeys("good");
    assertUnusable(plan, "tiny", "NoSlot", "a profile of their own");
  }

  @Test
  void aShortfallMakesEveryNodeUnusable() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile("executor: {coresPerExecutor: {min: 6, max: 6}}"),
            matched(node("a", 4), node("b", 4)),
            false);
    assertThat(plan.result()).isInstanceOf(Shortfall.class);
    assertThat(((Shortfall) plan.result()).reason()).isEqualTo(Reason.EXECUTOR_TOO_LARGE);
    assertThat(plan.slotsByNode()).isEmpty();
    assertThat(plan.unusable())
        .extracting(Unusable::node, Unusable::reason)
        .containsExactly(tuple("a", "ExecutorTooLarge"), tuple("b", "ExecutorTooLarge"));
  }

  @Test
  void noNodeAtAllIsAShortfall() {
    ProfilePlan plan = ProfilePlanner.plan(THREE_CORES, List.of(), false);
    assertThat(plan.result()).isInstanceOf(Shortfall.class);
    assertThat(((Shortfall) plan.result()).remedy()).contains("SparkNodeTopology");
    assertThat(plan.unusable()).isEmpty();
  }

  @Test
  void unusableNodesAreSortedByName() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            THREE_CORES,
            List.of(
                new MatchedNode("z", Optional.empty()),
                new MatchedNode("m", Optional.of(node("m", 2))),
                new MatchedNode("k", Optional.of(node("k", 4))),
                new MatchedNode("a", Optional.empty())),
            false);
    assertThat(plan.unusable()).extracting(Unusable::node).containsExactly("a", "m", "z");
  }

  @Test
  void aProfileOutOfBoundsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ProfilePlanner.plan(
                    profile("executor: {coresPerExecutor: {min: 0}}"),
                    matched(node("a", 4)),
                    false))
        .withMessageContaining("spec.executor.coresPerExecutor.min");
  }

  private static void assertUnusable(ProfilePlan plan, String node, String reason, String message) {
    assertThat(plan.unusable()).hasSize(1);
    Unusable unusable = plan.unusable().get(0);
    assertThat(unusable.node()).isEqualTo(node);
    assertThat(unusable.reason()).isEqualTo(reason);
    assertThat(unusable.message()).contains(message);
  }
}
