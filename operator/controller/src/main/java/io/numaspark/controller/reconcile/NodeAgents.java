package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.Node;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.status.AgentReports;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * What the agents of the nodes say, from the one cache that has it to those who need it.
 *
 * <p>Limit: of the spec of these topologies only the wishes are kept.
 */
public final class NodeAgents {
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private volatile InformerEventSource<SparkNodeTopology, Node> topologies;

  /** Says where the topologies are found; until then, and until they are read, none is known. */
  void connect(InformerEventSource<SparkNodeTopology, Node> source) {
    topologies = source;
  }

  /** Called with the name of a node whose agent has something new to say. */
  void onChange(Consumer<String> listener) {
    listeners.add(listener);
  }

  void tell(String node) {
    listeners.forEach(listener -> listener.accept(node));
  }

  /** Whether what is not known does not exist. */
  boolean isLoaded() {
    return topologies != null && topologies.isRunning();
  }

  /** The topology of a node, with its status; empty if there is none, or none is loaded yet. */
  Optional<SparkNodeTopology> of(String node) {
    return isLoaded() ? topologies.get(new ResourceID(node)) : Optional.empty();
  }

  /** What is said of executors. */
  AgentReports reports(Instant now) {
    return isLoaded() ? AgentReports.of(this::of, now) : AgentReports.notLoaded();
  }
}
