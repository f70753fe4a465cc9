package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.NodeCounts;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinnedBy;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.SlotCounts;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.UnusableNode;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.slots.SlotCount;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.profile.ProfilePlanner.Unusable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileStatusAssemblerTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
  private static final Instant LATER = Instant.parse("2026-11-21T09:00:00Z");

  private final SparkNodeProfile profile = Samples.profile("dual", "a");

  ProfileStatusAssemblerTest() {
    profile.getMetadata().setGeneration(3L);
  }

  @Test
  void slotsArePublished() {
    SparkNodeProfileStatus status = planned(NOW, dualSocket("n-1"), dualSocket("n-2"));
    assertThat(status.observedGeneration()).isEqualTo(3);
    assertThat(status.nodes()).isEqualTo(new NodeCounts(2, 2, 0));
    assertThat(status.slots()).isEqualTo(new SlotCounts(6, 0, 0, "slots.numaspark.io/dual"));
    assertThat(status.executor().cores()).isEqualTo(2);
    assertThat(status.executor().cpus()).isEqualTo(4);
    assertThat(status.nodeClasses())
        .singleElement()
        .satisfies(
            nodes -> {
              assertThat(nodes.name()).isEqualTo("n-1");
              assertThat(nodes.nodes()).isEqualTo(2);
              assertThat(nodes.slotsPerNode()).isEqualTo(3);
              assertThat(nodes.topology())
                  .isEqualTo("2 sockets, 2 NUMA nodes, 8 cores, 2 threads a core, 32 GiB");
              assertThat(nodes.numaNodes().get(0).reservedCpus()).isEqualTo("0,8");
              assertThat(nodes.numaNodes().get(1).slots()).hasSize(2);
            });
    assertThat(status.unusableNodes()).isEmpty();
    assertCondition(status, "Ready", "True", "SlotsPublished", "6 executor slots");
    assertThat(condition(status, "Planned").getStatus()).isEqualTo("True");
    assertThat(condition(status, "Planned").getReason()).isEqualTo("ShapeFound");
    assertThat(condition(status, "Planned").getMessage()).isEqualTo(status.executor().why());
  }

  @Test
  void unusableNodesAreCountedAndNamed() {
    SparkNodeProfileStatus status =
        planned(NOW, dualSocket("n-1"), new MatchedNode("n-2", Optional.empty()));
    assertThat(status.nodes()).isEqualTo(new NodeCounts(2, 1, 1));
    assertThat(status.unusableNodes())
        .containsExactly(
            new UnusableNode(
                "n-2",
                "NoTopology",
                "no SparkNodeTopology named n-2; make one with `numaspark topology` on the node and"
                    + " apply it"));
    assertCondition(
        status, "Ready", "True", "SlotsPublished", "3 executor slots; 1 of 2 nodes cannot be used");
  }

  @Test
  void whatEachWayToPinWouldGiveIsAlwaysSaid() {
    SparkNodeProfileStatus status =
        planned(
            NOW, new MatchedNode("n-1", Optional.of(Samples.dualSocketWithDefaultKubelet("n-1"))));
    assertThat(status.whatIf())
        .extracting(PinningWay::way)
        .containsExactly("as it is", "kubelet configured", "pinned by the runtime");
    assertThat(status.whatIf().get(0).slots()).isZero();
    assertThat(status.whatIf().get(1).slots()).isPositive();
    assertThat(status.whatIf().get(2).slots()).isPositive();
    assertThat(status.nodeClasses().get(0).pinnedBy()).isEqualTo(PinnedBy.Kubelet);
    assertThat(status.nodeClasses().get(0).slotsLacking()).isPositive();
    assertThat(planned(NOW, dualSocket("n-1")).whatIf()).hasSize(3);
    assertThat(planned(NOW).whatIf()).isNull();
  }

  @Test
  void noNodeMatches() {
    SparkNodeProfileStatus status = planned(NOW);
    String message =
        "spec.nodeSelector matches no node; correct it, or label the nodes (kubectl get nodes"
            + " --show-labels)";
    assertCondition(status, "Ready", "False", "NoMatchingNode", message);
    assertCondition(status, "Planned", "False", "NoMatchingNode", message);
    assertThat(status.executor()).isNull();
    assertThat(status.slots().total()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no node                 | none    | m6i       | NoNodeYet        | True  | PlannedOnTemplates
          a node without topology | new     | m6i       | NoTopology       | True  | PlannedOnTemplates
          one template of two     | none    | m6i,gone  | NoNodeYet        | True  | PlannedOnTemplates
          no template exists      | none    | gone      | TemplateUnusable | False | TemplateUnusable
          neither                 | new     | gone      | NoTopology       | False | TemplateUnusable
          """)
  void withoutAUsableNodeTheStatusSaysWhatApplicationsHave(
      String name, String node, String templates, String ready, String planned, String reason) {
    List<MatchedNode> nodes =
        node.equals("none") ? List.of() : List.of(new MatchedNode(node, Optional.empty()));
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile.getSpec(),
            nodes,
            Stream.of(templates.split(","))
                .map(
                    each ->
                        each.equals("gone")
                            ? new MatchedNode(each, Optional.empty())
                            : dualSocket(each))
                .toList(),
            false);
    SparkNodeProfileStatus status =
        ProfileStatusAssembler.planned(
            profile, nodes.size(), plan, plan.unusable(), List.of(), NOW);
    assertThat(condition(status, "Ready").getStatus()).isEqualTo("False");
    assertThat(condition(status, "Ready").getReason()).isEqualTo(ready);
    assertThat(condition(status, "Planned").getStatus()).isEqualTo(planned);
    assertThat(condition(status, "Planned").getReason()).isEqualTo(reason);
    assertThat(condition(status, "Planned").getMessage())
        .contains("spec.nodeTemplates")
        .contains(templates.split(","));
    assertThat(status.slots()).isEqualTo(new SlotCounts(0, 0, 0, "slots.numaspark.io/dual"));
    assertThat(status.nodes()).isEqualTo(new NodeCounts(nodes.size(), 0, nodes.size()));
    assertThat(status.nodeClasses()).isEmpty();
    assertThat(status.executor() != null).isEqualTo(planned.equals("True"));
  }

  @Test
  void noNodeIsUsable() {
    SparkNodeProfileStatus status =
        planned(
            NOW,
            new MatchedNode("n-1", Optional.of(Samples.dualSocketWithDefaultKubelet("n-1"))),
            new MatchedNode("n-2", Optional.empty()));
    assertThat(condition(status, "Ready"))
        .satisfies(
            ready -> {
              assertThat(ready.getStatus()).isEqualTo("False");
              assertThat(ready.getReason()).isEqualTo("CpuManagerNotStatic");
              assertThat(ready.getMessage()).startsWith("no usable node of 2; node n-1: ");
            });
    assertThat(condition(status, "Planned").getReason()).isEqualTo("CpuManagerNotStatic");
    assertThat(status.nodes()).isEqualTo(new NodeCounts(2, 0, 2));
  }

  @Test
  void theSpecContradictsItself() {
    SparkNodeProfileStatus status = ProfileStatusAssembler.invalid(profile, "spec.x: no", NOW);
    assertCondition(status, "Ready", "False", "InvalidSpec", "spec.x: no");
    assertCondition(status, "Planned", "False", "InvalidSpec", "spec.x: no");
    assertThat(status.observedGeneration()).isEqualTo(3);
  }

  @Test
  void equalInputGivesAnEqualStatus() {
    SparkNodeProfileStatus first = planned(NOW, dualSocket("n-1"));
    profile.setStatus(first);
    assertThat(planned(LATER, dualSocket("n-1"))).isEqualTo(first);
  }

  @Test
  void transitionTimesAreCarriedOver() {
    profile.setStatus(planned(NOW, new MatchedNode("n-1", Optional.empty())));
    SparkNodeProfileStatus stillNot = planned(LATER);
    assertThat(condition(stillNot, "Ready").getLastTransitionTime())
        .isEqualTo("2026-11-21T08:00:00Z");
    assertThat(condition(planned(LATER, dualSocket("n-1")), "Ready").getLastTransitionTime())
        .isEqualTo("2026-11-21T09:00:00Z");
  }

  @Test
  void aStatusDoesNotGrowWithTheNodes() {
    MatchedNode[] nodes =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    i % 2 == 0 ? dualSocket("n-" + i) : new MatchedNode("n-" + i, Optional.empty()))
            .toArray(MatchedNode[]::new);
    SparkNodeProfileStatus status = planned(NOW, nodes);
    assertThat(status.nodes()).isEqualTo(new NodeCounts(100, 50, 50));
    assertThat(status.unusableNodes()).hasSize(20);
    assertThat(status.nodeClasses()).hasSize(1);
  }

  @Test
  void lostAndWithheldSlotsAreShownAndReadAgain() {
    Withheld withheld = Withheld.after(Optional.empty(), "TopologyAffinityError", NOW);
    SparkNodeProfileStatus status =
        planned(
            NOW,
            List.of(
                new SlotCount("n-1", "dual", 3, 3, 1, Optional.of(withheld)),
                new SlotCount("n-2", "dual", 3, 2, 2, Optional.empty())),
            dualSocket("n-1"),
            dualSocket("n-2"));
    assertThat(status.slots()).isEqualTo(new SlotCounts(6, 1, 2, "slots.numaspark.io/dual"));
    assertThat(condition(status, "SlotsWithheld").getStatus()).isEqualTo("True");
    assertThat(condition(status, "SlotsWithheld").getMessage())
        .startsWith(
            "2 free slots on 1 nodes are withheld; node n-1: its kubelet rejected 1 executors, the last with TopologyAffinityError");
    assertThat(WithheldStatus.read(status)).isEqualTo(Map.of("n-1", withheld));
  }

  @Test
  void whatIsWithheldStandsUntilTheNodeIsCountedAgain() {
    Withheld withheld = Withheld.after(Optional.empty(), "OutOfcpu", NOW);
    SlotCount counted = new SlotCount("n-1", "dual", 3, 3, 1, Optional.of(withheld));
    profile.setStatus(planned(NOW, List.of(counted), dualSocket("n-1")));
    assertThat(WithheldStatus.read(planned(LATER, List.of(), dualSocket("n-1"))))
        .as("after a restart of the operator")
        .isEqualTo(Map.of("n-1", withheld));
    SlotCount free = new SlotCount("n-1", "dual", 3, 3, 1, Optional.empty());
    assertThat(planned(LATER, List.of(free), dualSocket("n-1")).withheldNodes()).isEmpty();
    assertThat(planned(LATER, List.of(), dualSocket("n-2")).withheldNodes())
        .as("the node is not the profile's any more")
        .isEmpty();
  }

  private SparkNodeProfileStatus planned(Instant now, MatchedNode... nodes) {
    return planned(now, List.of(), nodes);
  }

  private SparkNodeProfileStatus planned(
      Instant now, List<SlotCount> counted, MatchedNode... nodes) {
    ProfilePlan plan = ProfilePlanner.plan(profile.getSpec(), List.of(nodes), false);
    List<Unusable> unusable = new ArrayList<>(plan.unusable());
    return ProfileStatusAssembler.planned(profile, nodes.length, plan, unusable, counted, now);
  }

  private static MatchedNode dualSocket(String node) {
    return new MatchedNode(node, Optional.of(Samples.dualSocket(node)));
  }

  private static void assertCondition(
      SparkNodeProfileStatus status, String type, String value, String reason, String message) {
    Condition condition = condition(status, type);
    assertThat(condition.getStatus()).isEqualTo(value);
    assertThat(condition.getReason()).isEqualTo(reason);
    assertThat(condition.getMessage()).isEqualTo(message);
  }

  private static Condition condition(SparkNodeProfileStatus status, String type) {
    return status.conditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst()
        .orElseThrow();
  }
}
