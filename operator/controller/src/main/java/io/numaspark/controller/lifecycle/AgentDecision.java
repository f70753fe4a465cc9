package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.render.knobs.AgentAssignment;
import io.numaspark.render.knobs.AgentAssignment.NodeNow;
import io.numaspark.render.knobs.AgentKind;
import io.numaspark.render.knobs.KnobWishes;
import io.numaspark.render.pins.PinAssignment;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the agent of a node is to do, and whether the node has one.
 *
 * <p>Limit: it does not know how long the agent has restored; the caller keeps {@link #restoring}.
 *
 * @param label of the node; empty for no agent
 * @param knobs what the topology is to say of knobs; empty for nothing
 * @param pins what the topology is to say of pins; empty for nothing
 * @param until when to decide again if no event comes
 * @param warning what a person should know, if knobs may stay changed
 */
public record AgentDecision(
    Optional<String> label,
    Optional<WantedKnobs> knobs,
    Optional<WantedPins> pins,
    Restoring restoring,
    Optional<Instant> until,
    Optional<String> warning) {

  /** Since when an agent restores what it found; empty if there is nothing to restore. */
  public record Restoring(Optional<Instant> knobs, Optional<Instant> pins) {
    public static final Restoring NOTHING = new Restoring(Optional.empty(), Optional.empty());
  }

  /** For a node that exists; {@code owner} is the profile that selects it. */
  public static AgentDecision of(
      NodeNow node,
      Optional<SparkNodeProfile> owner,
      PinAssignment pinning,
      Restoring before,
      Instant now) {
    AgentAssignment assignment =
        owner
            .map(profile -> KnobWishes.of(profile.getMetadata().getName(), profile.getSpec()))
            .map(wishes -> AgentAssignment.selected(wishes, node, now))
            .orElseGet(() -> AgentAssignment.unselected(node, now));
    return new AgentDecision(
        AgentKind.label(assignment.label(), pinning.pins().isPresent()),
        assignment.knobs(),
        pinning.pins(),
        new Restoring(
            since(assignment.restoring(), before.knobs(), now),
            since(pinning.releasing(), before.pins(), now)),
        Stream.of(assignment.until(), pinning.until())
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder()),
        assignment.warning());
  }

  private static Optional<Instant> since(boolean restoring, Optional<Instant> before, Instant now) {
    return restoring ? before.or(() -> Optional.of(now)) : Optional.empty();
  }

  /** For a node that has left the cluster. */
  public static AgentDecision farewell(NodeNow node) {
    return new AgentDecision(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Restoring.NOTHING,
        Optional.empty(),
        AgentAssignment.farewell(node));
  }
}
