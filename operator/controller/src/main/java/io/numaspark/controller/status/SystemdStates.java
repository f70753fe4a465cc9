package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.knobs.AgentHealth.Contact;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whether the next reload of systemd would move containers to other CPUs on a profile's nodes, as
 * their agents report it (condition SystemdAgrees of a SparkNodeTopology).
 *
 * <p>Limit: a node counts only while systemd keeps CPUs of some container there, and its agent
 * reports.
 *
 * @param agreeing how many nodes are safe
 * @param messages what the agents of the other nodes say, by node name
 */
public record SystemdStates(int agreeing, SortedMap<String, String> messages) {
  static final String SYSTEMD_AGREES = "SystemdAgrees";

  /**
   * The states.
   *
   * @param topologies by node name, as far as they exist
   */
  public static SystemdStates of(
      SortedMap<String, Optional<SparkNodeTopology>> topologies, Instant now) {
    int agreeing = 0;
    SortedMap<String, String> messages = new TreeMap<>();
    for (Map.Entry<String, Optional<SparkNodeTopology>> node : topologies.entrySet()) {
      if (AgentHealth.of(node.getValue(), now) != Contact.REPORTING) {
        continue;
      }
      Optional<AgentCondition> reported =
          AgentHealth.condition(node.getValue().orElseThrow().getStatus(), SYSTEMD_AGREES);
      if (reported.isEmpty()) {
        continue;
      }
      if (Conditions.FALSE.equals(reported.get().status())) {
        messages.put(
            node.getKey(), Objects.requireNonNullElse(reported.get().message(), "no message"));
      } else {
        agreeing++;
      }
    }
    return new SystemdStates(agreeing, messages);
  }

  /** Nodes by state, each state once; empty if no node counts. */
  public Map<String, Integer> counts() {
    return isEmpty()
        ? Map.of()
        : Map.of(
            ProfileReason.AGREES.displayName(),
            agreeing,
            ProfileReason.RELOAD_MOVES_CONTAINERS.displayName(),
            messages.size());
  }

  private boolean isEmpty() {
    return agreeing == 0 && messages.isEmpty();
  }

  /** The same status with what the agents say; unchanged if no node counts. */
  public SparkNodeProfileStatus addTo(
      SparkNodeProfileStatus status, SparkNodeProfile profile, Instant now) {
    if (isEmpty()) {
      return status;
    }
    TroubledNodes troubled = new TroubledNodes(agreeing + messages.size(), messages);
    Conditions conditions =
        new Conditions(
            profile.getStatus() == null ? null : profile.getStatus().conditions(),
            profile.getMetadata().getGeneration(),
            now);
    if (messages.isEmpty()) {
      conditions.add(
          SYSTEMD_AGREES,
          Conditions.TRUE,
          ProfileReason.AGREES,
          "a reload of systemd moves no container on any node");
    } else {
      conditions.add(
          SYSTEMD_AGREES,
          Conditions.FALSE,
          ProfileReason.RELOAD_MOVES_CONTAINERS,
          troubled.listed("a reload of systemd moves containers on " + troubled.count()));
    }
    List<Condition> all = new ArrayList<>(status.conditions());
    all.addAll(conditions.build());
    return status.withConditions(all);
  }
}
