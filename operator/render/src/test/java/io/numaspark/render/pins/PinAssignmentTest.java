package io.numaspark.render.pins;

import static io.numaspark.render.fixture.Specs.matched;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Pinner;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.PinnerExecutor;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.api.v1alpha1.WantedPins.Mode;
import io.numaspark.api.v1alpha1.WantedPins.WantedSlot;
import io.numaspark.planner.plan.Layout;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.pins.PinnerReport.NotWorking;
import io.numaspark.render.pins.PinnerReport.Working;
import io.numaspark.render.profile.ProfilePlanner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wanted of a pinner, and when it may go. */
class PinAssignmentTest {
  private static final Instant NOW = Instant.parse("2026-11-24T03:00:00Z");

  private static Layout layout(String kubelet) {
    return ProfilePlanner.plan(
            profile("executor: {coresPerExecutor: {preferred: 2}}", "pinning: {memory: Local}"),
            matched(node("a", 4, kubelet)),
            true)
        .layoutByNode()
        .get("a");
  }

  private static WantedPins pins() {
    return PinLayout.of("p", layout("{}")).orElseThrow();
  }

  /** Core 3 has lost a sibling, so no slot has its other thread. */
  @Test
  void threadsThatThePlanLeavesOutAreShared() {
    SparkNodeTopology topology =
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeTopology
            metadata: {name: a}
            spec:
              numaNodes:
                - {id: 0, socket: 0, memory: 17179869184, cores: ['0,8', '1,9', '2,10', '3']}
              kubelet: {}
            """,
            SparkNodeTopology.class);
    Layout layout =
        ProfilePlanner.plan(
                profile("executor: {coresPerExecutor: {preferred: 2}}", "pinning: {memory: Local}"),
                matched(topology),
                true)
            .layoutByNode()
            .get("a");
    WantedPins pins = PinLayout.of("p", layout).orElseThrow();
    assertThat(pins.slots()).extracting(WantedSlot::cpus).containsExactly("1-2,9-10");
    assertThat(pins.sharedCpus()).isEqualTo("0,3,8");
  }

  /** A node for which this is wanted, and whose pinner says it works by that generation. */
  private static Optional<SparkNodeTopology> reporting(
      WantedPins wanted, String generation, String connected, int due) {
    SparkNodeTopology topology = node("a", 4, "{}");
    topology.setSpec(topology.getSpec().withPins(wanted));
    topology.setStatus(
        new SparkNodeTopologyStatus(
            1L,
            NOW.toString(),
            "1",
            "boot",
            "",
            List.of(),
            List.of(),
            generation == null
                ? null
                : new Pinner(
                    generation,
                    "0",
                    "containerd",
                    "v2.1.9",
                    List.of("n0-0"),
                    due,
                    List.of(
                        new PinnerExecutor("team", "x", "uid-x", "Pinned", List.of("n1-0")),
                        new PinnerExecutor("team", "y", "uid-y", "EarlierLayout", List.of()),
                        new PinnerExecutor("team", "z", "uid-z", "NoFreeSlot", List.of()))),
            null,
            null,
            connected == null
                ? List.of()
                : List.of(
                    new AgentCondition(
                        "PinnerConnected", connected, "NoSocket", "no socket", NOW.toString()))));
    return Optional.of(topology);
  }

  @Test
  void theLayoutHasTheSlotsAndLeavesEverythingElseToOthers() {
    WantedPins pins = pins();
    assertThat(pins.sharedCpus()).isEqualTo("0-1,6-9,14-15");
    assertThat(pins.slots())
        .containsExactly(new WantedSlot("n0-0", 0, "2-5"), new WantedSlot("n1-0", 1, "10-13"));
    assertThat(pins.mode()).isEqualTo(Mode.Pin);
    assertThat(pins.memory().name()).isEqualTo("Local");
    assertThat(PinLayout.of("p", layout("{}"))).contains(pins);
    assertThat(PinLayout.of("other", layout("{}")).orElseThrow().generation())
        .isNotEqualTo(pins.generation());
    assertThat(PinLayout.released(pins).generation()).isNotEqualTo(pins.generation());
  }

  @Test
  void aNodeThatItsKubeletPinsHasNoLayout() {
    assertThat(PinLayout.of("p", layout(io.numaspark.render.fixture.Specs.PINNING_KUBELET)))
        .isEmpty();
  }

  @Test
  void aPinnerStaysUntilAllContainersHaveAllCpusAgain() {
    Optional<WantedPins> none = Optional.empty();
    PinWish nothing = new PinWish.Nothing();
    WantedPins release = PinLayout.released(pins());

    PinAssignment first =
        PinAssignment.of(nothing, reporting(pins(), pins().generation(), "True", 0), NOW, NOW);
    assertThat(first.pins()).contains(release);
    assertThat(first.releasing()).isTrue();

    PinAssignment due =
        PinAssignment.of(nothing, reporting(release, release.generation(), "True", 2), NOW, NOW);
    assertThat(due.pins()).contains(release);

    PinAssignment done =
        PinAssignment.of(nothing, reporting(release, release.generation(), "True", 0), NOW, NOW);
    assertThat(done).isEqualTo(new PinAssignment(none, false, Optional.empty()));
  }

  @Test
  void aPinnerThatDoesNotAnswerIsGivenUp() {
    Optional<SparkNodeTopology> deaf = reporting(pins(), null, null, 0);
    Instant since = NOW.minus(AgentHealth.SILENCE).plus(Duration.ofSeconds(1));
    PinAssignment waiting = PinAssignment.of(new PinWish.Nothing(), deaf, since, NOW);
    assertThat(waiting.releasing()).isTrue();
    assertThat(waiting.until()).contains(NOW.plusSeconds(1));
    assertThat(PinAssignment.of(new PinWish.Nothing(), deaf, since, NOW.plusSeconds(1)).pins())
        .isEmpty();
  }

  @Test
  void whatNobodyKnowsBetterStays() {
    assertThat(PinAssignment.unchanged(reporting(pins(), null, null, 0)).pins()).contains(pins());
    assertThat(PinAssignment.unchanged(Optional.empty()).pins()).isEmpty();
    assertThat(PinAssignment.of(new PinWish.Pin(pins()), Optional.empty(), NOW, NOW).pins())
        .contains(pins());
    assertThat(
            PinAssignment.of(new PinWish.Undecided(), reporting(pins(), null, null, 0), NOW, NOW)
                .pins())
        .contains(pins());
  }

  /** Each takes CPUs from executors that run, so that it has to be meant. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "Runtime | {}                          | Pin",
        "Auto    | {}                          | Pin",
        "Kubelet | {}                          | Nothing",
        "Kubelet | -                           | Nothing",
        "Runtime | -                           | Undecided",
        "Auto    | {cpuManagerPolicy: static}  | Nothing",
        "Runtime | {cpuManagerPolicy: static}  | Nothing",
        "Runtime | {memoryManagerPolicy: Static, reservedMemory: {'0': 1073741824}} | Nothing",
      })
  void onlyWhoMeansItTakesPinsBack(String by, String kubelet, String wish) {
    SparkNodeProfileSpec spec =
        profile("executor: {coresPerExecutor: {preferred: 2}}", "pinning: {by: " + by + "}");
    Optional<Layout> layout =
        Optional.ofNullable(kubelet).map(settings -> layoutFor(spec, settings));
    assertThat(PinWish.of("p", spec, layout).getClass().getSimpleName()).isEqualTo(wish);
  }

  @Test
  void anExecutorThatFitsNoMoreKeepsItsPins() {
    SparkNodeProfileSpec spec =
        profile("executor: {coresPerExecutor: {min: 4, max: 4}}", "pinning: {by: Runtime}");
    assertThat(PinWish.of("p", spec, Optional.of(layoutFor(spec, "{}"))))
        .isEqualTo(new PinWish.Undecided());
  }

  private static Layout layoutFor(SparkNodeProfileSpec spec, String kubelet) {
    return ProfilePlanner.plan(spec, matched(node("a", 4, kubelet)), true).layoutByNode().get("a");
  }

  @Test
  void aReportCountsIfThePinnerWorksByTheWantedLayout() {
    WantedPins wanted = pins();
    PinnerReport.Reading reading =
        PinnerReport.of(
            wanted, reporting(wanted, wanted.generation(), "True", 0), Optional.of("boot"), NOW);
    assertThat(((Working) reading).report().served()).isEqualTo(Map.of("uid-x", 1, "uid-y", 0));
    assertThat(((Working) reading).report().freeSlots()).containsExactly("n0-0");

    assertThat(reason(wanted, reporting(wanted, "older", "True", 0), NOW))
        .isEqualTo("LayoutNotApplied");
    assertThat(reason(wanted, reporting(wanted, wanted.generation(), "False", 0), NOW))
        .isEqualTo("NoSocket");
    assertThat(reason(wanted, reporting(wanted, null, null, 0), NOW)).isEqualTo("NoPinner");
    assertThat(reason(wanted, Optional.empty(), NOW)).isEqualTo("NoAgent");
    assertThat(
            reason(
                wanted,
                reporting(wanted, wanted.generation(), "True", 0),
                NOW.plus(AgentHealth.SILENCE).plusSeconds(1)))
        .isEqualTo("NoAgent");
  }

  /**
   * The node has lost what it was pinned to, and the status says the opposite until it is written.
   */
  @Test
  void aReportOfAnEarlierBootDoesNotCount() {
    WantedPins wanted = pins();
    assertThat(
            PinnerReport.of(
                wanted,
                reporting(wanted, wanted.generation(), "True", 0),
                Optional.of("next boot"),
                NOW))
        .isInstanceOfSatisfying(
            NotWorking.class, not -> assertThat(not.reason()).isEqualTo("EarlierBoot"));
  }

  private static ExclusiveContainer container(String uid, String cpus) {
    return new ExclusiveContainer(
        "team", "x", "c", uid, null, cpus, null, cpus, null, null, null, null, null);
  }

  private static String reason(
      WantedPins wanted, Optional<SparkNodeTopology> topology, Instant now) {
    return ((NotWorking) PinnerReport.of(wanted, topology, Optional.empty(), now)).reason();
  }
}
