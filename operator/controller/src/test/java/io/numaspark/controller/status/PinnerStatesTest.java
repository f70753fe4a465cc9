package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.slots.PinnedNodes;
import io.numaspark.controller.status.PinnerStates.State;
import io.numaspark.render.pins.PinLayout;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plan alone says which nodes the runtime shall pin; no agent has to have heard of it. */
class PinnerStatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final ProfilePlan plan = PinnedNodes.byRuntime();
  private final String layout =
      PinLayout.of("p", plan.layoutByNode().get("a")).orElseThrow().generation();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // heartbeat | condition | its reason | generation | state
        "11:59 | True  | Connected  | ours  | CONNECTED",
        "11:59 | True  | Connected  | older | LAYOUT_NOT_APPLIED",
        "11:59 | False | NriOff     | ours  | NOT_CONNECTED",
        "11:59 | False | AnyReason  | ours  | NOT_CONNECTED",
        "11:59 | -     | -          | ours  | NO_PINNER",
        "11:40 | True  | Connected  | ours  | NO_AGENT",
      })
  void everyNodeHasOneOfFewStates(
      String heartbeat, String connected, String reason, String generation, State state) {
    PinnerStates states = states(topology(heartbeat, connected, reason, generation));
    assertThat(states.counts()).hasSize(State.values().length).containsEntry(state, 1);
    assertThat(states.counts().values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
  }

  @Test
  void withoutAnyAgentTheConditionSaysSoAndReadyToo() {
    SparkNodeProfileStatus status = states(Optional.empty()).addTo(ready(), profile(), NOW);
    assertThat(status.conditions())
        .extracting(Condition::getType, Condition::getStatus)
        .containsExactly(tuple("Ready", "True"), tuple("PinnersConnected", "False"));
    assertThat(status.conditions().get(0).getMessage())
        .isEqualTo(
            "2 executor slots; the container runtime does not pin on 1 of 1 node, which have no free slots"
                + " (PinnersConnected)");
    assertThat(status.conditions().get(1).getMessage())
        .contains("a: NoAgent")
        .contains("agent.pinner.enabled");
  }

  @Test
  void readyIsAsItWasWhereAllPin() {
    SparkNodeProfileStatus status =
        states(topology("11:59", "True", "Connected", "ours")).addTo(ready(), profile(), NOW);
    assertThat(status.conditions().get(0)).isEqualTo(ready().conditions().get(0));
    assertThat(status.conditions().get(1).getStatus()).isEqualTo("True");
  }

  @Test
  void nodesThatTheirKubeletsPinHaveNoState() {
    ProfilePlan byKubelet =
        ProfilePlanner.plan(
            profile().getSpec(),
            List.of(new MatchedNode("n", Optional.of(Samples.dualSocket("n")))),
            true);
    PinnerStates states = PinnerStates.of("p", byKubelet, node -> Optional.empty(), NOW);
    assertThat(states.counts()).isEmpty();
    assertThat(states.addTo(ready(), profile(), NOW)).isEqualTo(ready());
  }

  private PinnerStates states(Optional<SparkNodeTopology> topology) {
    return PinnerStates.of("p", plan, node -> topology, NOW);
  }

  private Optional<SparkNodeTopology> topology(
      String heartbeat, String connected, String reason, String generation) {
    String condition =
        connected.equals("-")
            ? ""
            : "{type: PinnerConnected, status: \"%s\", reason: %s, message: m}"
                .formatted(connected, reason);
    return Optional.of(
        Serialization.unmarshal(
            """
            metadata: {name: a}
            status:
              heartbeat: "2026-01-01T%s:00Z"
              conditions: [%s]
              pinner: {generation: "%s", freeSlots: [n0-0]}
            """
                .formatted(heartbeat, condition, generation.equals("ours") ? layout : generation),
            SparkNodeTopology.class));
  }

  private static SparkNodeProfile profile() {
    SparkNodeProfile profile = Samples.profile("p", "a");
    profile.getMetadata().setGeneration(1L);
    return profile;
  }

  private static SparkNodeProfileStatus ready() {
    return SparkNodeProfileStatus.of(
        1L,
        List.of(
            new ConditionBuilder()
                .withType("Ready")
                .withStatus("True")
                .withReason("SlotsPublished")
                .withMessage("2 executor slots")
                .build()));
  }
}
