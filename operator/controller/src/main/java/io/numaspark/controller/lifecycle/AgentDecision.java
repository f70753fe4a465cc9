package io.numaspark.controller.lifecycle;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
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
 * <p>Limit: it does not know how long an agent has restored; the caller remembers {@link
 * #restoring}.
 */
public record AgentDecision(AgentAssignment knobs, PinAssignment pins) {

  /** Since when an agent restores what it found; empty if there is nothing to restore. */
  public record Restoring(Optional<Instant> knobs, Optional<Instant> pins) {
    public static final Restoring NOTHING = new Restoring(Optional.empty(), Optional.empty());
  }

  /** For a node that exists; {@code owner} is the profile that selects it. */
  public static AgentDecision of(
      NodeNow node, Optional<SparkNodeProfile> owner, PinAssignment pins, Instant now) {
    return new AgentDecision(
        owner
            .map(profile -> KnobWishes.of(profile.getMetadata().getName(), profile.getSpec()))
            .map(wishes -> AgentAssignment.selected(wishes, node, now))
            .orElseGet(() -> AgentAssignment.unselected(node, now)),
        pins);
  }

  /** For a node that has left the cluster: nothing is wanted of it any more. */
  public static AgentDecision farewell(NodeNow node) {
    Optional<String> note = AgentAssignment.farewell(node);
    return new AgentDecision(
        new AgentAssignment(Optional.empty(), Optional.empty(), false, Optional.empty(), note),
        new PinAssignment(Optional.empty(), false, Optional.empty()));
  }

  /** The label of the node; empty for no agent. */
  public Optional<String> label() {
    return AgentKind.label(knobs.label(), pins.pins().isPresent());
  }

  /** When to decide again if no event comes. */
  public Optional<Instant> until() {
    return Stream.of(knobs.until(), pins.until())
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  /** Since when it restores, with what was remembered before. */
  public Restoring restoring(Restoring before, Instant now) {
    return new Restoring(
        knobs.restoring() ? before.knobs().or(() -> Optional.of(now)) : Optional.empty(),
        pins.releasing() ? before.pins().or(() -> Optional.of(now)) : Optional.empty());
  }
}
