package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.AgentCounts;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.KnobSummary;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.render.knobs.KnobWishes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnobReportTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final String ENFORCED = "memory: {mode: Enforce, swappiness: 1}";
  private static final String APPLIED = "state: Applied, actual: '1'";

  private final SparkNodeProfile profile = Samples.profile("dual", "a");
  private final SortedMap<String, Optional<SparkNodeTopology>> nodes = new TreeMap<>();

  /** Node a has applied the knob; what node b says decides. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      nullValues = "-",
      textBlock =
          """
          all is well          | 11:58 | state: Applied, actual: '1'         | -       | True    | Applied
          just begun           | 11:58 | -                                   | -       | Unknown | Applying
          still at it          | 11:58 | -                                   | Unknown | Unknown | Applying
          drifted              | 11:58 | state: Drifted, actual: '60'        | -       | False   | Drifted
          failed               | 11:58 | state: Failed, message: EPERM       | True    | False   | Failed
          not here             | 11:58 | state: Unsupported, message: no     | -       | False   | Unsupported
          no writer yet        | 11:58 | state: Observed, actual: '60'       | -       | Unknown | Applying
          no writer for long   | 11:58 | state: Observed, actual: '60'       | Unknown | False   | WriterNotInstalled
          no writer, known     | 11:58 | state: Observed, actual: '60'       | False   | False   | WriterNotInstalled
          silent               | 11:49 | state: Applied, actual: '1'         | True    | False   | AgentSilent
          new node, no agent   | -     | -                                   | True    | Unknown | Applying
          no agent for long    | -     | -                                   | Unknown | False   | AgentNotInstalled
          an older wish        | 11:58 | "state: Applied, actual: '60', wanted: '60'" | True | Unknown | Applying
          a state of tomorrow  | 11:58 | state: Pondering                    | True    | Unknown | Applying
          """)
  void theConditionSaysWhatIsWrong(
      String what, String heard, String knob, String before, String status, String reason) {
    wants(ENFORCED);
    node("a", "11:59", APPLIED);
    node("b", heard, knob);
    before(before);
    Condition applied = condition("KnobsApplied").orElseThrow();
    assertThat(applied.getReason()).as(applied.getMessage()).isEqualTo(reason);
    assertThat(applied.getStatus()).isEqualTo(status);
    if (!"True".equals(status)) {
      assertThat(applied.getMessage()).startsWith("1 of 2 nodes: ").contains(" on b");
    }
  }

  @Test
  void theWorstReasonIsTheConditionsAndTheMessageHasAll() {
    wants(ENFORCED);
    IntStream.range(0, 7).forEach(i -> node("f" + i, "11:59", "state: Failed, message: EPERM"));
    node("s", "11:00", APPLIED);
    Condition applied = condition("KnobsApplied").orElseThrow();
    assertThat(applied.getReason()).isEqualTo("Failed");
    assertThat(applied.getMessage())
        .isEqualTo(
            "8 of 8 nodes: Failed on f0, f1, f2, f3, f4 and 2 more (memory.swappiness: EPERM); AgentSilent on s");
  }

  /** States are labels of a metric. */
  @Test
  void aStateThatNobodyKnowsIsCountedAsUnknown() {
    wants(ENFORCED);
    node("a", "11:59", "state: Pondering");
    assertThat(report().knobs().get("memory.swappiness")).isEqualTo(Map.of("Unknown", 1));
  }

  @Test
  void aLongMessageIsCut() {
    wants(ENFORCED);
    node("a", "11:59", "state: Failed, message: '" + "x".repeat(10_000) + "'");
    assertThat(condition("KnobsApplied").orElseThrow().getMessage()).hasSizeLessThan(500);
  }

  @Test
  void aWriterThatDoesNotAnswerIsNamed() {
    wants(ENFORCED);
    node(
        "a", "11:59", "state: Failed", "{type: KnobsApplied, status: Unknown, message: no socket}");
    node("b", "11:59", null, "{type: KnobsApplied, status: Unknown, message: no socket}");
    before("Unknown");
    assertThat(condition("KnobsApplied").orElseThrow().getMessage())
        .isEqualTo(
            "2 of 2 nodes: Failed on a (memory.swappiness); WriterNotAnswering on b (no socket)");
  }

  @Test
  void whatIsOnlyComparedIsCountedAndNoCondition() {
    wants("memory: {swappiness: 1, numaBalancing: Disabled}");
    node("a", "11:59", "state: Observed, actual: '1'");
    node("b", "11:59", "state: Observed, actual: '60'");
    node("c", "11:00", "state: Observed, actual: '1'");
    assertThat(condition("KnobsApplied")).isEmpty();
    assertThat(status().knobs())
        .containsExactly(
            new KnobSummary("memory.numaBalancing", "Disabled", false, Map.of("Unknown", 3)),
            new KnobSummary(
                "memory.swappiness", "1", false, Map.of("Differs", 1, "Same", 1, "Unknown", 1)));
  }

  @Test
  void agentsAreCounted() {
    wants("memory: {swappiness: 1}");
    node("a", "11:59", null);
    assertThat(condition("AgentsReporting").orElseThrow().getStatus()).isEqualTo("True");
    node("b", "11:00", null);
    node("c", null, null);
    nodes.put("d", Optional.empty());
    assertThat(status().agents()).isEqualTo(new AgentCounts(1, 1, 2));
    Condition reporting = condition("AgentsReporting").orElseThrow();
    assertThat(reporting.getReason()).isEqualTo("AgentSilent");
    assertThat(reporting.getMessage())
        .startsWith("the agents of 1 of 4 nodes report; silent: b; missing: c, d; ");
  }

  /** Topologies may be made by hand. */
  @Test
  void whoHasNoAgentsAndWantsNoKnobsIsNotTroubled() {
    node("a", null, null);
    assertThat(status().agents()).isNull();
    assertThat(status().knobs()).isNull();
    assertThat(status().conditions()).isEmpty();
  }

  @Test
  void itIsLookedAtAgainWhenAnAgentMayHaveBecomeSilent() {
    node("a", "11:55", null);
    node("b", "11:58", null);
    node("c", "11:00", null);
    assertThat(report().again(profile, NOW)).contains(Instant.parse("2026-01-01T12:05:00Z"));
    wants(ENFORCED);
    assertThat(report().again(profile, NOW))
        .as("when what is usual for a while is so no more")
        .contains(NOW.plus(KnobReport.GRACE));
  }

  @Test
  void whatWasKnownIsKeptUntilAgentsAreKnown() {
    wants(ENFORCED);
    node("a", "11:59", APPLIED);
    SparkNodeProfileStatus before = status();
    SparkNodeProfileStatus bare = empty();
    assertThat(KnobReport.keep(bare, before)).isEqualTo(before);
    assertThat(KnobReport.keep(bare, null)).isEqualTo(bare);
  }

  private void wants(String yaml) {
    profile.setSpec(
        Serialization.unmarshal("nodeSelector: {}\n" + yaml, SparkNodeProfileSpec.class));
  }

  private void node(String name, String heard, String knob) {
    node(name, heard, knob, "");
  }

  private void node(String name, String heard, String knob, String condition) {
    String wanted = knob == null || knob.contains("wanted") ? "" : ", wanted: '1'";
    nodes.put(
        name,
        Optional.of(
            Serialization.unmarshal(
                """
                metadata: {name: %s}
                status:
                  heartbeat: %s
                  knobs: [%s]
                  conditions: [%s]
                """
                    .formatted(
                        name,
                        heard == null ? "null" : "\"2026-01-01T" + heard + ":00Z\"",
                        knob == null ? "" : "{name: memory.swappiness, " + knob + wanted + "}",
                        condition),
                SparkNodeTopology.class)));
  }

  /** The condition has been so for longer than the grace. */
  private void before(String status) {
    if (status == null) {
      return;
    }
    Condition condition = new Condition();
    condition.setType("KnobsApplied");
    condition.setStatus(status);
    condition.setLastTransitionTime("2026-01-01T11:00:00Z");
    SparkNodeProfileStatus before = empty();
    List<Condition> conditions = new ArrayList<>(List.of(condition));
    profile.setStatus(before.withConditions(conditions));
  }

  private Optional<Condition> condition(String type) {
    return status().conditions().stream().filter(c -> c.getType().equals(type)).findFirst();
  }

  private SparkNodeProfileStatus status() {
    return report().addTo(empty(), profile, NOW);
  }

  private static SparkNodeProfileStatus empty() {
    return SparkNodeProfileStatus.of(1L, List.of());
  }

  private KnobReport report() {
    return new KnobReport(KnobWishes.of("dual", profile.getSpec()), nodes, NOW);
  }
}
