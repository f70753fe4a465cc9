package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.knobs.AgentHealth.Contact;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why a node's enforced knobs have not their wanted values: the worst reason, and the first knob
 * that has it.
 *
 * @param message what the agent says of it; may be empty
 */
record KnobProblem(String node, Kind kind, String message) {
  /** A message of an agent is as long as a node has CPUs, and it is told once for all nodes. */
  private static final int MESSAGE_LIMIT = 300;

  /** Reasons, the worst first. */
  enum Kind implements StatusReason {
    FAILED(false, ""),
    DRIFTED(false, "find out what else sets it, such as tuned or a file in /etc/sysctl.d"),
    UNSUPPORTED(false, "set it to Unmanaged, or give these nodes a profile of their own"),
    WRITER_NOT_ANSWERING(true, "look at the log of the writer in the agent's pod there"),
    WRITER_NOT_INSTALLED(true, "install the chart with agent.enforce: true"),
    AGENT_SILENT(
        false, "look for its pod with `kubectl get pods -A --field-selector spec.nodeName=<node>`"),
    AGENT_NOT_INSTALLED(
        true,
        "install the chart with agent.enabled: true, or look for its pod with `kubectl get pods -A --field-selector"
            + " spec.nodeName=<node>`"),
    APPLYING(true, "");

    private final boolean mayPass;
    private final String remedy;

    Kind(boolean mayPass, String remedy) {
      this.mayPass = mayPass;
      this.remedy = remedy;
    }

    /** Whether it is usual for a short time. */
    boolean mayPass() {
      return mayPass;
    }

    /** What to do; empty if the agent's message says it, or nothing is to be done. */
    String remedy() {
      return remedy;
    }
  }

  /** What is wrong on a node; empty if every enforced knob has its value, or there is none. */
  static Optional<KnobProblem> of(
      String node, WantedKnobs wanted, Optional<SparkNodeTopology> topology, Contact contact) {
    if (wanted.enforced().isEmpty()) {
      return Optional.empty();
    }
    if (contact != Contact.REPORTING) {
      return Optional.of(
          new KnobProblem(
              node, contact == Contact.SILENT ? Kind.AGENT_SILENT : Kind.AGENT_NOT_INSTALLED, ""));
    }
    SparkNodeTopologyStatus status = topology.orElseThrow().getStatus();
    Stream<KnobProblem> ofKnobs =
        wanted.enforced().stream()
            .flatMap(knob -> ofKnob(node, knob, wanted.settings().get(knob), status).stream());
    return Stream.concat(writerNotAnswering(node, status).stream(), ofKnobs)
        .min((one, other) -> one.kind().compareTo(other.kind()));
  }

  private static Optional<KnobProblem> writerNotAnswering(
      String node, SparkNodeTopologyStatus status) {
    return Objects.requireNonNullElse(status.conditions(), List.<AgentCondition>of()).stream()
        .filter(condition -> "KnobsApplied".equals(condition.type()))
        .filter(condition -> Conditions.UNKNOWN.equals(condition.status()))
        .map(
            condition ->
                new KnobProblem(node, Kind.WRITER_NOT_ANSWERING, limited(condition.message())))
        .findFirst();
  }

  private static Optional<KnobProblem> ofKnob(
      String node, String knob, String value, SparkNodeTopologyStatus status) {
    Optional<KnobState> told =
        AgentHealth.knobs(status).stream()
            .filter(state -> knob.equals(state.name()) && Objects.equals(value, state.wanted()))
            .findFirst();
    Kind kind =
        switch (told.map(KnobState::state).orElse("")) {
          case "Applied" -> null;
          case "Drifted" -> Kind.DRIFTED;
          case "Failed" -> Kind.FAILED;
          case "Unsupported" -> Kind.UNSUPPORTED;
          case "Observed" -> Kind.WRITER_NOT_INSTALLED;
          default -> Kind.APPLYING;
        };
    if (kind == null) {
      return Optional.empty();
    }
    String message = told.map(KnobState::message).orElse(null);
    return Optional.of(
        new KnobProblem(node, kind, message == null ? knob : limited(knob + ": " + message)));
  }

  private static String limited(String message) {
    String given = Objects.requireNonNullElse(message, "");
    return given.length() > MESSAGE_LIMIT ? given.substring(0, MESSAGE_LIMIT - 1) + "…" : given;
  }
}
