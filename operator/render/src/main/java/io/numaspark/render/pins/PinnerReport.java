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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the pinner of a node says, if it says it of the layout that is wanted there now.
 *
 * @param freeSlots ids of the slots that executors can get
 * @param executors what became of those that ask for slots
 * @param due containers that still have other CPUs than they shall
 */
public record PinnerReport(List<String> freeSlots, List<PinnerExecutor> executors, int due) {
  /** Outcomes of executors that have CPUs of their own. */
  private static final Set<String> SERVED = Set.of("Pinned", "PinnedLate", "EarlierLayout");

  /** The agent's condition: the runtime pins as the spec says. */
  public static final String CONNECTED = "PinnerConnected";

  /** UIDs of the pods whose executors have CPUs of their own. */
  public Set<String> servedPods() {
    return executors.stream()
        .filter(executor -> SERVED.contains(String.valueOf(executor.outcome())))
        .map(PinnerExecutor::podUid)
        .collect(Collectors.toSet());
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

  /** Reads the topology of a node for which this is wanted. */
  public static Reading of(WantedPins wanted, Optional<SparkNodeTopology> topology, Instant now) {
    if (AgentHealth.of(topology, now) != Contact.REPORTING) {
      return new NotWorking(
          "NoAgent",
          "the node's agent does not report; see docs/agent.md, and set agent.pinner.enabled in the chart's values");
    }
    SparkNodeTopologyStatus status = topology.orElseThrow().getStatus();
    Optional<AgentCondition> connected = condition(status);
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

  private static Optional<AgentCondition> condition(SparkNodeTopologyStatus status) {
    return Objects.requireNonNullElse(status.conditions(), List.<AgentCondition>of()).stream()
        .filter(condition -> CONNECTED.equals(condition.type()))
        .findFirst();
  }
}
