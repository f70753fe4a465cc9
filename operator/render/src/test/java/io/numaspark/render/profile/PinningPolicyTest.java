package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.PINNING_KUBELET;
import static io.numaspark.render.fixture.Specs.matched;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.NumaNodeSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.PinningWay;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.planner.plan.Layout;
import io.numaspark.planner.plan.Pins;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.planner.plan.Reason;
import io.numaspark.render.pins.PinLayout;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who pins on which node. */
class PinningPolicyTest {
  private static final String AS_IT_COMES = "{}";
  private static final String STATIC_ONLY = "{cpuManagerPolicy: static, reservedCpus: '0-1'}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // spec.pinning.by | pinners | kubelet | who pins; none if no executor fits
        "Kubelet | true  | pins        | KUBELET",
        "Kubelet | true  | as it comes | -",
        "Runtime | true  | as it comes | RUNTIME",
        "Runtime | false | as it comes | RUNTIME",
        "Runtime | true  | pins        | -",
        "Runtime | true  | static only | -",
        "Auto    | true  | pins        | KUBELET",
        "Auto    | true  | as it comes | RUNTIME",
        "Auto    | true  | static only | -",
        "Auto    | false | as it comes | -",
        "Auto    | false | pins        | KUBELET",
      })
  void theProfileAndTheKubeletDecide(String by, boolean pinners, String kubelet, Pins pins) {
    String settings =
        switch (kubelet) {
          case "pins" -> PINNING_KUBELET;
          case "static only" -> STATIC_ONLY;
          default -> AS_IT_COMES;
        };
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile("pinning: {by: " + by + "}"), matched(node("a", 6, settings)), pinners);
    assertThat(plan.result() instanceof Plan found ? found.pins() : null).isEqualTo(pins);
  }

  /** Slots and sizes are those of executors that are pinned. */
  @ParameterizedTest
  @CsvSource({"Kubelet, NOTHING", "Runtime, RUNTIME"})
  void whatIsOnlyObservedIsLaidOutAsIfItWerePinned(String by, Pins pins) {
    String settings = by.equals("Kubelet") ? PINNING_KUBELET : AS_IT_COMES;
    Plan enforced = plan("pinning: {by: %s}".formatted(by), settings);
    Plan observed = plan("pinning: {by: %s, mode: Observe}".formatted(by), settings);
    assertThat(observed.pins()).isEqualTo(pins);
    assertThat(observed.shape()).isEqualTo(enforced.shape());
    assertThat(observed.layouts().get(0).slots()).isEqualTo(enforced.layouts().get(0).slots());
    Optional<WantedPins> wanted = PinLayout.of("test", observed.layouts().get(0));
    assertThat(wanted.map(WantedPins::mode).orElse(null))
        .isEqualTo(by.equals("Runtime") ? WantedPins.Mode.Observe : null);
    if (wanted.isPresent()) {
      WantedPins pinned = PinLayout.of("test", enforced.layouts().get(0)).orElseThrow();
      assertThat(wanted.get().slots()).isEqualTo(pinned.slots());
      assertThat(wanted.get().generation()).isNotEqualTo(pinned.generation());
    }
  }

  private static Plan plan(String profile, String kubelet) {
    return (Plan)
        ProfilePlanner.plan(profile(profile), matched(node("a", 6, kubelet)), true).result();
  }

  @Test
  void aProfileMayHaveNodesOfBothKinds() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile("executor: {coresPerExecutor: {preferred: 3}}"),
            matched(node("a", 6, PINNING_KUBELET), node("b", 6, AS_IT_COMES)),
            true);
    assertThat(((Plan) plan.result()).pins()).isEqualTo(Pins.BOTH);
    assertThat(plan.slotsByNode()).containsOnlyKeys("a", "b");
    assertThat(plan.layoutByNode().get("b").findings())
        .as("executors of both nodes have the CPU limit that the kubelet needs")
        .anyMatch(finding -> finding.reason() == Reason.CPU_LIMIT_THROTTLES);
    assertThat(plan.layoutByNode().get("a").findings())
        .noneMatch(finding -> finding.reason() == Reason.CPU_LIMIT_THROTTLES);
  }

  @Test
  void whatIfComparesTheThreeWays() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile("executor: {coresPerExecutor: {preferred: 3}}"),
            matched(node("a", 6, AS_IT_COMES), node("b", 6, AS_IT_COMES)),
            true);
    List<PinningWay> ways = plan.whatIf().ways();
    assertThat(ways)
        .extracting(PinningWay::way)
        .containsExactly("as it is", "kubelet configured", "pinned by the runtime");
    assertThat(ways).extracting(PinningWay::slots).containsExactly(0, 6, 4);
    assertThat(ways).extracting(PinningWay::executorCpus).containsExactly(0, 36, 24);
    assertThat(ways).extracting(PinningWay::cpus).containsOnly(48);
    assertThat(ways.get(2).todo()).isEqualTo("install the chart with agent.pinner.enabled=true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Auto    | nothing | `numaspark kubelet-config` | switch the kubelet's static managers off",
        "Kubelet | nothing | `numaspark kubelet-config` | set spec.pinning.by to Auto or Runtime in the profile; switch",
        "Runtime | set spec.pinning.by to Auto or Kubelet | set spec.pinning.by to Auto or Kubelet | switch the kubelet's",
      })
  void theWaysAreComparedWhereTheKubeletPinsToo(
      String by, String asItIs, String configured, String byRuntime) {
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile("pinning: {by: " + by + "}"), matched(node("a", 6, PINNING_KUBELET)), true);
    List<PinningWay> ways = plan.whatIf().ways();
    assertThat(ways).extracting(PinningWay::slots).doesNotContain(0);
    assertThat(ways.get(0).todo()).startsWith(asItIs);
    assertThat(ways.get(1).todo()).startsWith(configured);
    assertThat(ways.get(2).todo()).startsWith(byRuntime);
    Layout layout = plan.layoutByNode().get("a");
    assertThat(plan.whatIf().lacking(layout)).isEqualTo(by.equals("Runtime") ? 2 : 0);
  }

  @Test
  void nodesOfOneKindAreOneClassIfTheRuntimeSharesAPartOfTheirMemory() {
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile(),
            matched(node("a", 6, AS_IT_COMES), node("b", 6, AS_IT_COMES)).stream()
                .map(PinningPolicyTest::withOneMoreMebibyteIfB)
                .toList(),
            true);
    assertThat(plan.result().layouts()).hasSize(1);
  }

  private static MatchedNode withOneMoreMebibyteIfB(MatchedNode node) {
    if (node.name().equals("b")) {
      SparkNodeTopology topology = node.topology().orElseThrow();
      SparkNodeTopologySpec spec = topology.getSpec();
      topology.setSpec(
          new SparkNodeTopologySpec(
              spec.cpu(),
              spec.numaNodes().stream()
                  .map(
                      numa ->
                          new NumaNodeSpec(
                              numa.id(),
                              numa.socket(),
                              numa.memory() + (1 << 20),
                              numa.hugepages(),
                              numa.distances(),
                              numa.cores(),
                              numa.caches()))
                  .toList(),
              spec.kubelet()));
    }
    return node;
  }
}
