package io.numaspark.render.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.planner.plan.Layout;
import io.numaspark.render.fixture.Specs;
import io.numaspark.render.profile.ProfilePlanner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a profile says of nodes that do not exist, and what it leaves open. */
class NodeTemplateTest {
  private static final String SELECTOR = "nodeSelector: {matchLabels: {pool: spark}}";

  @Test
  void slotsAndSizeAreThoseOfThePlan() {
    NodeTemplate template = template("spark", SELECTOR);
    assertThat(template.slots()).isEqualTo(layout(SELECTOR).slots().size()).isPositive();
    assertThat(template.cpus())
        .isEqualTo(layout(SELECTOR).nodeClass().machine().topology().cpus().size());
    assertThat(template.resource()).isEqualTo("slots.numaspark.io/spark");
    assertThat(template.open()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "one value       | {key: a, operator: In, values: [b]}      | {a=b, pool=spark} |",
        "several values  | {key: a, operator: In, values: [b, c]}   | {pool=spark}      | the label a: add the one that these nodes have (b, c)",
        "any value       | {key: a, operator: Exists}               | {pool=spark}      | any value of the label a",
        "any, one known  | {key: pool, operator: Exists}            | {pool=spark}      |",
        "not a value     | {key: a, operator: NotIn, values: [b]}   | {pool=spark}      |",
        "no label        | {key: a, operator: DoesNotExist}         | {pool=spark}      |"
      })
  void labelsAreThoseThatTheSelectorNeeds(
      String name, String expression, String labels, String open) {
    NodeTemplate template =
        template(
            "spark",
            "nodeSelector: {matchLabels: {pool: spark}, matchExpressions: [%s]}"
                .formatted(expression));
    assertThat(template.labels()).hasToString(labels);
    assertOpen(template, open);
    assertThat(template.requirements()).hasSize(2);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "value         | {key: a, operator: Equal, value: b, effect: NoSchedule} | a=b:NoSchedule |",
        "no operator   | {key: a, value: b, effect: NoExecute}                   | a=b:NoExecute  |",
        "any value     | {key: a, operator: Exists, effect: NoSchedule}          | a=:NoSchedule  | every value of the taint a",
        "any effect    | {key: a, operator: Exists}                              |                | the taint a with every effect",
        "everything    | {operator: Exists}                                      |                | an entry without a key",
        "Kubernetes'   | {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute} | |",
        "startup taint | {key: startup-taint.cluster-autoscaler.kubernetes.io/numaspark-slots, operator: Exists, effect: NoSchedule} | |",
        "twice         | {key: a, value: b, effect: NoExecute}, {key: a, value: b, effect: NoSchedule} | a=b:NoExecute | several entries for the taint a"
      })
  void taintsAreThoseThatATolerationNames(
      String name, String tolerations, String taint, String open) {
    NodeTemplate template = template("spark", SELECTOR, "tolerations: [%s]".formatted(tolerations));
    assertThat(
            template.taints().stream().map(one -> one.key() + "=" + one.valueAndEffect()).toList())
        .isEqualTo(taint == null ? List.of() : List.of(taint));
    assertOpen(template, open);
  }

  @Test
  void whatPinsIsNamedIfTheChartHasToEnableIt() {
    assertOpen(template("spark", SELECTOR, "pinning: {by: Runtime}"), "agent.pinner.enabled=true");
  }

  @ParameterizedTest
  @EnumSource(AutoscalerPlatform.class)
  void aProfileWithoutLabelsAndTaintsNeedsOnlySlots(AutoscalerPlatform platform) {
    NodeTemplate template = template("spark", "nodeSelector: {}");
    assertThat(platform.text(template, "pool", "node-0"))
        .contains("slots.numaspark.io", String.valueOf(template.slots()))
        .doesNotContain("label/", "label_", "node_labels", "/labels", "taint_", "node_taints");
  }

  @Test
  void azureTagsHaveNoSlash() {
    NodeTemplate template =
        template("spark", "nodeSelector: {matchLabels: {example.com/my_pool: spark}}");
    assertThat(AutoscalerPlatform.AZURE.text(template, "pool", "node-0"))
        .contains(
            "\nk8s.io_cluster-autoscaler_node-template_resources_slots.numaspark.io_spark=",
            "\nk8s.io_cluster-autoscaler_node-template_label_example.com_my~2pool=spark\n");
  }

  /** The longest profile name that an AWS tag holds has 59 characters. */
  @Test
  void aTagThatAwsWouldRefuseIsAnError() {
    assertThat(AutoscalerPlatform.AWS.text(template("p".repeat(59), SELECTOR), "pool", "node-0"))
        .contains("p".repeat(59));
    assertThatThrownBy(
            () -> AutoscalerPlatform.AWS.text(template("p".repeat(60), SELECTOR), "pool", "node-0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 128")
        .hasMessageContaining("shorten the profile's name or labels");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"kubernetes.io/hostname", "karpenter.sh/registered", "a.karpenter.sh/label"})
  void aLabelThatKarpenterKeepsForItselfIsAnError(String label) {
    NodeTemplate template =
        template("spark", "nodeSelector: {matchLabels: {%s: spark}}".formatted(label));
    assertThatThrownBy(() -> AutoscalerPlatform.KARPENTER.text(template, "pool", "node-0"))
        .hasMessageStartingWith("spec.nodeSelector: a NodeOverlay takes no label " + label);
  }

  private static void assertOpen(NodeTemplate template, String open) {
    if (open == null) {
      assertThat(template.open()).isEmpty();
    } else {
      assertThat(template.open()).singleElement().asString().contains(open);
    }
  }

  private static NodeTemplate template(String name, String... fields) {
    SparkNodeProfile profile = new SparkNodeProfile();
    profile.setMetadata(new ObjectMetaBuilder().withName(name).build());
    profile.setSpec(Specs.profile(fields));
    return NodeTemplate.of(profile, layout(fields));
  }

  private static Layout layout(String... fields) {
    return ProfilePlanner.plan(
            Specs.profile(fields),
            Specs.matched(Specs.node("node-0", 4, Specs.PINNING_KUBELET)),
            true)
        .layoutByNode()
        .get("node-0");
  }
}
