package io.numaspark.controller.store;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.slots.UnseenClaims;
import io.numaspark.planner.capacity.Occupant;
import io.numaspark.planner.topology.Machine;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.knobs.AgentHealth.Contact;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The pods of a node that an operator without the right to watch all pods knows from the node's
 * agent.
 */
public final class UnseenPods {
  /** An agent may report a pod for as long after it is gone. */
  private static final Duration AGENT_LAG = Duration.ofMinutes(2);

  private final NodeAgents agents;
  private final boolean used;
  private final Map<String, Map<String, Instant>> lastSeen = new ConcurrentHashMap<>();

  /**
   * Unseen pods.
   *
   * @param used whether there can be any
   */
  public UnseenPods(NodeAgents agents, boolean used) {
    this.agents = agents;
    this.used = used;
  }

  /** Forgets a node that is gone. */
  public void forget(String node) {
    lastSeen.remove(node);
  }

  /**
   * What they hold; nothing while the agent does not report.
   *
   * @param seen pods on the node that the operator sees, those that have ended included
   */
  public List<Occupant> on(String node, Machine machine, List<Pod> seen, Instant now) {
    if (!used) {
      return List.of();
    }
    Map<String, Instant> known =
        lastSeen.computeIfAbsent(node, unknown -> new ConcurrentHashMap<>());
    seen.forEach(
        pod -> known.put(key(pod.getMetadata().getNamespace(), pod.getMetadata().getName()), now));
    known.values().removeIf(last -> last.plus(AGENT_LAG).isBefore(now));
    Optional<SparkNodeTopology> topology = agents.of(node);
    if (AgentHealth.of(topology, now) != Contact.REPORTING) {
      return List.of();
    }
    SparkNodeTopologyStatus status = topology.orElseThrow().getStatus();
    return UnseenClaims.of(
        Objects.requireNonNullElse(status.exclusive(), List.<ExclusiveContainer>of()),
        container -> known.containsKey(key(container.namespace(), container.pod())),
        machine);
  }

  private static String key(String namespace, String pod) {
    return namespace + "/" + pod;
  }
}
