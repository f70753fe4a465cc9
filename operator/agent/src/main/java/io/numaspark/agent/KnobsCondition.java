package io.numaspark.agent;

import io.numaspark.agent.knob.KnobVerdict;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.api.v1alpha1.WantedKnobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether every knob that shall be set is: the condition KnobsApplied.
 *
 * @param status True, False or Unknown
 */
record KnobsCondition(String status, String reason, String message) {

  /** Empty if nothing shall be set. */
  static Optional<KnobsCondition> of(Optional<WantedKnobs> wanted, Knobs.Report report) {
    if (report.failure().isPresent()) {
      return Optional.of(
          new KnobsCondition(
              Conditions.UNKNOWN,
              AgentReason.WRITER_NOT_ANSWERING.displayName(),
              report.failure().get()));
    }
    List<String> enforced = wanted.map(WantedKnobs::enforced).orElse(List.of());
    if (enforced.isEmpty()) {
      return Optional.empty();
    }
    String reason = null;
    List<String> wrong = new ArrayList<>();
    for (KnobState state : report.states()) {
      if (enforced.contains(state.name()) && !KnobVerdict.Applied.name().equals(state.state())) {
        boolean noWriter = KnobVerdict.Observed.name().equals(state.state());
        String why = noWriter ? AgentReason.NO_WRITER.displayName() : state.state();
        reason =
            reason == null || reason.equals(why) ? why : AgentReason.SEVERAL_REASONS.displayName();
        wrong.add(state.name() + ": " + state.message());
      }
    }
    return Optional.of(
        wrong.isEmpty()
            ? new KnobsCondition(Conditions.TRUE, AgentReason.APPLIED.displayName(), "")
            : new KnobsCondition(Conditions.FALSE, reason, String.join("; ", wrong)));
  }

  void putInto(Conditions conditions) {
    conditions.put(Conditions.KNOBS_APPLIED, status, reason, message);
  }
}
