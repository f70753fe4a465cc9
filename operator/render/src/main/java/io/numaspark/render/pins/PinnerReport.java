package io.numaspark.render.pins;

import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Pinner;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.PinnerExecutor;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.knobs.AgentHealth.Contact;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the pinner of a node says, if it says it of the layout that is wanted there now.
 *
 * <p>Limit: the status has no heartbeat of the pinner's own; the agent, which reads it, takes the
 * condition back after 90 seconds of silence. An agent that is silent itself is believed for {@link
 * AgentHealth#SILENCE}.
 *
 * @param freeSlots ids of the slots that executors can get
 * @param executors what became of those that ask for slots
 * @param due containers that still have other CPUs than they shall
 */
public record PinnerReport(List<String> freeSlots, List<PinnerExecutor> executors, int due) {
  /** The agent's condition: the runtime pins as the spec says. */
  public static final String CONNECTED = "PinnerConnected";

  /**
   * How many slots each pod holds whose executor has CPUs of its own, by UID: none if an earlier
   * layout gave them, or another program.
   */
  public Map<String, Integer> served() {
    Map<String, Integer> served = new HashMap<>();
    for (PinnerExecutor executor : executors) {
      if (PinOutcome.of(executor.outcome()).filter(PinOutcome::isFinal).isPresent()) {
        served.merge(
            String.valueOf(executor.podUid()),
            Objects.requireNonNullElse(executor.slots(), List.of()).size(),
            Integer::sum);
      }
    }
    return served;
  }

  /** A pinner that works, or why it does not: a sentence with the remedy. */
  public sealed interface Reading {}

  /** It works by the wanted layout. */
  public record Working(PinnerReport report) implements Reading {}

  /**
   * It does not.
   *
   * @param reason CamelCase
   */
  public record NotWorking(String reason, String message) implements Reading {}

  /**
   * Reads the topology of a node for which this is wanted.
   *
   * @param bootId the node's own word on its present start; empty if it is not known
   */
  public static Reading of(
      WantedPins wanted,
      Optional<SparkNodeTopology> topology,
      Optional<String> bootId,
      Instant now) {
    if (AgentHealth.of(topology, now) != Contact.REPORTING) {
      return new NotWorking(
          "NoAgent",
          "the node's agent does not report; see docs/agent.md, and set agent.pinner.enabled in the chart's values");
    }
    SparkNodeTopologyStatus status = topology.orElseThrow().getStatus();
    if (bootId.isPresent() && status.bootId() != null && !bootId.get().equals(status.bootId())) {
      return new NotWorking(
          "EarlierBoot",
          "the node has started again, and its agent has not reported since; it does so as soon as its pod runs");
    }
    Optional<AgentCondition> connected = AgentHealth.condition(status, CONNECTED);
    if (connected.isEmpty() || status.pinner() == null) {
      return new NotWorking(
          "NoPinner",
          "the node's agent has no pinner; install the chart with agent.pinner.enabled=true, or configure the kubelet"
              + " (docs/nodes.md)");
    }
    if (!"True".equals(connected.get().status())) {
      return new NotWorking(
          String.valueOf(connected.get().reason()), String.valueOf(connected.get().message()));
    }
    Pinner pinner = status.pinner();
    if (!Objects.equals(pinner.generation(), wanted.generation())) {
      return new NotWorking(
          "LayoutNotApplied", "the node's pinner has not taken the new layout yet");
    }
    return new Working(
        new PinnerReport(
            Objects.requireNonNullElse(pinner.freeSlots(), List.of()),
            Objects.requireNonNullElse(pinner.executors(), List.of()),
            Objects.requireNonNullElse(pinner.due(), 0)));
  }
}
