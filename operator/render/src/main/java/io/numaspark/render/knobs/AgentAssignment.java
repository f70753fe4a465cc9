package io.numaspark.render.knobs;

import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.render.knobs.AgentHealth.Contact;
import io.numaspark.render.text.Labels;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which agent a node gets, and what that agent is to do with the knobs.
 *
 * <p>A wish that goes leaves the node's topology at once, but the agent with the privileged writer
 * stays until it has put everything back. Limit: not for ever; an agent that is silent for {@link
 * AgentHealth#SILENCE} is given up with a warning.
 *
 * @param label value of {@link Labels#AGENT}; empty for no agent
 * @param knobs what the topology is to say; empty for nothing
 * @param restoring whether the writer stays only to put knobs back
 * @param until when to give that up; empty if nothing is restored
 * @param warning what a person should know, if knobs may stay changed
 */
public record AgentAssignment(
    Optional<String> label,
    Optional<WantedKnobs> knobs,
    boolean restoring,
    Optional<Instant> until,
    Optional<String> warning) {
  private static final Set<String> CHANGED = Set.of("Applied", "Drifted");
  private static final Set<String> NOT_PUT_BACK = Set.of("Applied", "Drifted", "Failed");

  /**
   * A node as it is now.
   *
   * @param label value of {@link Labels#AGENT}; null if it has none
   * @param restoringSince when the operator first saw that knobs have to be put back there
   */
  public record NodeNow(
      String name, String label, Optional<SparkNodeTopology> topology, Instant restoringSince) {
    private boolean hasWriter() {
      return Labels.AGENT_ENFORCE.equals(label);
    }

    private SparkNodeTopologyStatus status() {
      return topology.map(SparkNodeTopology::getStatus).orElse(null);
    }

    private List<String> knobsIn(Set<String> states) {
      return AgentHealth.knobs(status()).stream()
          .filter(knob -> states.contains(String.valueOf(knob.state())))
          .map(KnobState::name)
          .sorted()
          .toList();
    }
  }

  /** An agent for a node that a profile selects. */
  public static AgentAssignment selected(Optional<WantedKnobs> wishes, NodeNow node, Instant now) {
    boolean enforces = wishes.filter(wanted -> !wanted.enforced().isEmpty()).isPresent();
    return enforces
        ? settled(Optional.of(Labels.AGENT_ENFORCE), wishes)
        : release(Optional.of(Labels.AGENT_OBSERVE), wishes, node, now);
  }

  /** For a node that no profile selects. */
  public static AgentAssignment unselected(NodeNow node, Instant now) {
    return release(Optional.empty(), Optional.empty(), node, now);
  }

  /** What to say of a node that has left the cluster; empty if nothing was changed there. */
  public static Optional<String> farewell(NodeNow node) {
    List<String> left = node.knobsIn(NOT_PUT_BACK);
    return left.isEmpty() || !node.hasWriter()
        ? Optional.empty()
        : Optional.of(
            "node %s left the cluster while its agent had changed %s; reboot the machine before it is used elsewhere"
                .formatted(node.name(), String.join(", ", left)));
  }

  private static AgentAssignment settled(Optional<String> label, Optional<WantedKnobs> knobs) {
    return new AgentAssignment(label, knobs, false, Optional.empty(), Optional.empty());
  }

  private static AgentAssignment release(
      Optional<String> label, Optional<WantedKnobs> knobs, NodeNow node, Instant now) {
    Optional<Instant> deadline = deadline(node, now);
    if (deadline.isEmpty()) {
      return settled(label, knobs);
    }
    if (now.isBefore(deadline.get())) {
      return new AgentAssignment(
          Optional.of(Labels.AGENT_ENFORCE), knobs, true, deadline, Optional.empty());
    }
    Optional<String> warning = node.hasWriter() ? warning(node) : Optional.empty();
    return new AgentAssignment(label, knobs, false, Optional.empty(), warning);
  }

  /**
   * Until when to wait for the writer; empty if it has nothing to put back.
   *
   * <p>A writer that was put on the node again by hand has the whole time once more.
   */
  private static Optional<Instant> deadline(NodeNow node, Instant now) {
    Instant patience = node.restoringSince().plus(AgentHealth.SILENCE);
    if (!node.knobsIn(CHANGED).isEmpty()) {
      Instant silent =
          AgentHealth.heartbeat(node.status())
              .filter(heard -> AgentHealth.of(node.topology(), now) == Contact.REPORTING)
              .map(heard -> heard.plus(AgentHealth.SILENCE))
              .orElse(now);
      return Optional.of(node.hasWriter() && patience.isAfter(silent) ? patience : silent);
    }
    boolean unknown =
        node.topology().isEmpty()
            || !node.knobsIn(NOT_PUT_BACK).isEmpty()
            || hasNotRead(node.topology().get());
    return node.hasWriter() && unknown ? Optional.of(patience) : Optional.empty();
  }

  private static boolean hasNotRead(SparkNodeTopology topology) {
    Long generation = topology.getMetadata().getGeneration();
    long read = readGeneration(topology);
    return generation != null && read >= 0 && read < generation;
  }

  /** The edition of its topology that the agent has acted on; -1 if it does not say so. */
  public static long readGeneration(SparkNodeTopology topology) {
    SparkNodeTopologyStatus status = topology.getStatus();
    return status == null || status.observedGeneration() == null ? -1 : status.observedGeneration();
  }

  private static Optional<String> warning(NodeNow node) {
    String remedy =
        "; reboot the node, or have its agent restore them with `kubectl label node %s %s=%s --overwrite`"
            .formatted(node.name(), Labels.AGENT, Labels.AGENT_ENFORCE);
    if (node.topology().isEmpty()) {
      return Optional.of(
          "node "
              + node.name()
              + " has no SparkNodeTopology, so the operator cannot confirm that the agent restored its knobs"
              + remedy);
    }
    List<String> left = node.knobsIn(NOT_PUT_BACK);
    if (left.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "node %s may still have changed knobs: its agent, which last reported at %s, has not restored %s%s"
            .formatted(node.name(), node.status().heartbeat(), String.join(", ", left), remedy));
  }
}
