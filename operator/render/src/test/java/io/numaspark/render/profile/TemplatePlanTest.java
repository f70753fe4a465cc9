package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.matched;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TemplatePlanTest {
  private static final SparkNodeProfileSpec PROFILE =
      profile("executor: {coresPerExecutor: {preferred: 3}}");
  private static final MatchedNode SMALL = matched(node("small", 4)).get(0);
  private static final MatchedNode BIG = matched(node("big", 7)).get(0);
  private static final MatchedNode NEW = new MatchedNode("new", Optional.empty());
  private static final MatchedNode NOT_PINNING =
      matched(node("not-pinning", 4, "{cpuManagerPolicy: none}")).get(0);
  private static final MatchedNode GONE = new MatchedNode("gone", Optional.empty());

  /**
   * What a profile comes to.
   *
   * @param slots of nodes
   * @param onTemplates slots of one node of each usable template; null if they do not count
   */
  private record Case(
      String name,
      List<MatchedNode> nodes,
      List<MatchedNode> templates,
      Map<String, Integer> slots,
      Map<String, Integer> onTemplates) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Case> cases() {
    return Stream.of(
        new Case("neither node nor template", List.of(), List.of(), Map.of(), null),
        new Case("no node", List.of(), List.of(SMALL), Map.of(), Map.of("small", 2)),
        new Case("a new node", List.of(NEW), List.of(SMALL), Map.of(), Map.of("small", 2)),
        new Case(
            "an unusable node", List.of(NOT_PINNING), List.of(BIG), Map.of(), Map.of("big", 4)),
        new Case("a usable node", List.of(SMALL), List.of(BIG), Map.of("small", 2), null),
        new Case(
            "a usable node and a new one",
            List.of(SMALL, NEW),
            List.of(BIG),
            Map.of("small", 2),
            null),
        new Case(
            "two kinds", List.of(), List.of(SMALL, BIG), Map.of(), Map.of("small", 2, "big", 4)),
        new Case(
            "one of two does not exist",
            List.of(),
            List.of(GONE, SMALL),
            Map.of(),
            Map.of("small", 2)),
        new Case("none exists", List.of(), List.of(GONE), Map.of(), Map.of()),
        new Case("none pins", List.of(), List.of(NOT_PINNING), Map.of(), Map.of()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void templatesCountWhileNoNodeIsUsable(Case of) {
    ProfilePlan plan = ProfilePlanner.plan(PROFILE, of.nodes(), of.templates(), false);
    assertThat(plan.slotsByNode()).isEqualTo(of.slots());
    assertThat(plan.templates().map(TemplatePlan::slots).orElse(null)).isEqualTo(of.onTemplates());
    assertThat(plan.forApplications().isPresent())
        .isEqualTo(
            !of.slots().isEmpty() || of.onTemplates() != null && !of.onTemplates().isEmpty());
    assertThat(plan.layoutByNode().keySet()).doesNotContain("big", "gone");
  }

  @Test
  void theShapeIsThatOfEqualNodes() {
    ProfilePlan before = ProfilePlanner.plan(PROFILE, List.of(), List.of(SMALL), false);
    ProfilePlan after = ProfilePlanner.plan(PROFILE, List.of(SMALL), List.of(SMALL), false);
    assertThat(before.forApplications().orElseThrow().shape())
        .isEqualTo(after.forApplications().orElseThrow().shape());
  }

  @Test
  void whatCannotBeUsedIsNamedWithTheRemedy() {
    TemplatePlan partly = onTemplates(GONE, SMALL);
    assertThat(partly.describe())
        .isEqualTo(
            "planned on spec.nodeTemplates, one node each, until a usable node exists: small (2 slots); not used:"
                + " spec.nodeTemplates: gone: there is no SparkNodeTopology of this name; create it with `numaspark topology`"
                + " on a node of this kind, or correct the name");
    TemplatePlan none = onTemplates(NOT_PINNING);
    assertThat(none.usable()).isEmpty();
    assertThat(none.problems()).startsWith("spec.nodeTemplates: not-pinning: ").contains(";");
  }

  private static TemplatePlan onTemplates(MatchedNode... templates) {
    return ProfilePlanner.plan(PROFILE, List.of(), List.of(templates), false)
        .templates()
        .orElseThrow();
  }
}
