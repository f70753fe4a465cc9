package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.event.Signal;
import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.observe.TopologyParts;
import io.numaspark.render.knobs.AgentAssignment;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.proof.AgentReports;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What is watched for agents: the labels of nodes, profiles, and what the agents report. */
public final class AgentWatches implements NodeAgents {
  private final Signal<String> reports = new Signal<>();
  private final ReconcileTrigger<Node> trigger = new ReconcileTrigger<>("plans");
  private volatile InformerEventSource<SparkNodeProfile, Node> profiles;
  private volatile InformerEventSource<SparkNodeTopology, Node> topologies;

  /** Settings of the controller that its annotation cannot say. */
  public static void configure(ControllerConfigurationOverrider<Node> settings) {
    settings
        .withItemStore(new TransformingItemStore<>(SlotNodes::trimmed))
        .withOnUpdateFilter(SlotNodes::labelsDiffer)
        .withRateLimiter(ReconcileTrigger.fourASecond());
  }

  /** Emitted with the name of a node whose agent has something new to report. */
  public Signal<String> reports() {
    return reports;
  }

  /** Has the orders of nodes' agents made anew for what others computed. */
  public ReconcileTrigger<Node> trigger() {
    return trigger;
  }

  /** Has the orders of all agents made anew, because a profile is planned otherwise. */
  public void profileChanged(String profile) {
    trigger.reconcileAll();
  }

  /** Makes the event sources. */
  public List<EventSource<?, Node>> prepare(EventSourceContext<Node> context) {
    profiles =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeProfile.class, Node.class)
                .withName("profiles")
                .withOnUpdateFilter(AgentWatches::wishesMayDiffer)
                .withSecondaryToPrimaryMapper(profile -> ReconcileTrigger.every(context))
                .build(),
            context);
    topologies =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeTopology.class, Node.class)
                .withName("topologies")
                .withItemStore(new TransformingItemStore<>(TopologyParts::agent))
                .withOnUpdateFilter(AgentWatches::reportsSomethingNew)
                .withSecondaryToPrimaryMapper(this::nodeOf)
                .build(),
            context);
    return List.of(profiles, topologies, trigger.connected(context));
  }

  /** Every topology that has changed passes here. */
  private Set<ResourceID> nodeOf(SparkNodeTopology topology) {
    String node = topology.getMetadata().getName();
    reports.emit(node);
    return Set.of(new ResourceID(node));
  }

  private static boolean wishesMayDiffer(SparkNodeProfile one, SparkNodeProfile other) {
    return !Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid())
        || !Objects.equals(one.getSpec(), other.getSpec())
        || one.isMarkedForDeletion() != other.isMarkedForDeletion();
  }

  /** Leaves out heartbeats, and percents that move by little. */
  private static boolean reportsSomethingNew(SparkNodeTopology one, SparkNodeTopology other) {
    return !Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid())
        || !Objects.equals(one.getSpec(), other.getSpec())
        || AgentAssignment.readGeneration(one) != AgentAssignment.readGeneration(other)
        || AgentHealth.differ(one.getStatus(), other.getStatus());
  }

  @Override
  public boolean isLoaded() {
    return topologies != null && topologies.isRunning();
  }

  @Override
  public Optional<SparkNodeTopology> of(String node) {
    return isLoaded() ? topology(node) : Optional.empty();
  }

  /** The same for the controller whose watch this is: it only runs when topologies are loaded. */
  public Optional<SparkNodeTopology> topology(String node) {
    return topologies.get(new ResourceID(node));
  }

  /** What they report of executors. */
  public AgentReports executorReports(Instant now) {
    return isLoaded() ? AgentReports.of(this::of, now) : AgentReports.notLoaded();
  }

  /** The profiles that exist. */
  public Stream<SparkNodeProfile> profiles() {
    return profiles.list();
  }
}
