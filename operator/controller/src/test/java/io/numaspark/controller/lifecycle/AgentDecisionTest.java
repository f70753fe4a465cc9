package io.numaspark.controller.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.lifecycle.AgentDecision.Restoring;
import io.numaspark.render.knobs.AgentAssignment.NodeNow;
import io.numaspark.render.pins.PinAssignment;
import io.numaspark.render.text.Labels;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is remembered of a node that restores, and when it is looked at again. */
class AgentDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
  private static final Optional<Instant> LATER = Optional.of(NOW.plusSeconds(60));
  private static final PinAssignment NO_PINS =
      new PinAssignment(Optional.empty(), false, Optional.empty());

  @Test
  void aNodeThatNobodySelectsHasNoAgentAndRestoresNothing() {
    AgentDecision decision = decision(null, NO_PINS);
    assertThat(decision.label()).isEmpty();
    assertThat(decision.until()).isEmpty();
    assertThat(decision.restoring(Restoring.NOTHING, NOW)).isEqualTo(Restoring.NOTHING);
  }

  @Test
  void theBeginningOfARestorationIsKeptAndItsEndForgotten() {
    AgentDecision releases = decision(null, new PinAssignment(Optional.empty(), true, LATER));
    Restoring began = releases.restoring(Restoring.NOTHING, NOW);
    assertThat(began).isEqualTo(new Restoring(Optional.empty(), Optional.of(NOW)));
    assertThat(releases.restoring(began, NOW.plusSeconds(9))).isEqualTo(began);
    assertThat(decision(null, NO_PINS).restoring(began, NOW)).isEqualTo(Restoring.NOTHING);
  }

  @Test
  void theEarlierEndOfKnobsAndPinsCounts() {
    AgentDecision both =
        decision(Labels.AGENT_ENFORCE, new PinAssignment(Optional.empty(), true, LATER));
    assertThat(both.knobs().until()).isPresent();
    assertThat(both.until()).isEqualTo(LATER);
    assertThat(both.restoring(Restoring.NOTHING, NOW))
        .isEqualTo(new Restoring(Optional.of(NOW), Optional.of(NOW)));
  }

  @Test
  void nothingIsWantedOfANodeThatHasLeft() {
    AgentDecision farewell =
        AgentDecision.farewell(new NodeNow("n", Labels.AGENT_ENFORCE, Optional.empty(), NOW));
    assertThat(farewell.knobs().knobs()).isEmpty();
    assertThat(farewell.pins().pins()).isEmpty();
    assertThat(farewell.restoring(new Restoring(LATER, LATER), NOW)).isEqualTo(Restoring.NOTHING);
  }

  private static AgentDecision decision(String label, PinAssignment pins) {
    NodeNow node = new NodeNow("n", label, Optional.empty(), NOW);
    return AgentDecision.of(node, Optional.empty(), pins, NOW);
  }
}
