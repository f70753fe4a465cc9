package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.observe.TopologyParts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What is watched for profiles: themselves, the labels of nodes and the hardware of nodes. */
public final class ProfileWatches {
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int PLANS_A_PERIOD = 4;

  private final ReconcileTrigger<SparkNodeProfile> trigger =
      new ReconcileTrigger<>("slots-and-claims");
  private volatile InformerEventSource<Node, SparkNodeProfile> nodes;
  private volatile InformerEventSource<SparkNodeTopology, SparkNodeProfile> topologies;

  /** Settings of the controller that its annotation cannot say. */
  public static void configure(ControllerConfigurationOverrider<SparkNodeProfile> settings) {
    settings.withRateLimiter(new LinearRateLimiter(PERIOD, PLANS_A_PERIOD));
  }

  /** Makes the event sources. */
  public List<EventSource<?, SparkNodeProfile>> prepare(
      EventSourceContext<SparkNodeProfile> context) {
    nodes =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Node.class, SparkNodeProfile.class)
                .withName("nodes")
                .withSecondaryToPrimaryMapper(node -> everyProfile(context))
                .withItemStore(new TransformingItemStore<>(SlotNodes::planned))
                .withOnUpdateFilter(SlotNodes::plansDiffer)
                .build(),
            context);
    topologies =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeTopology.class, SparkNodeProfile.class)
                .withName("topologies")
                .withSecondaryToPrimaryMapper(topology -> everyProfile(context))
                .withItemStore(new TransformingItemStore<>(TopologyParts::hardware))
                .withOnUpdateFilter(
                    (one, other) ->
                        !TopologyParts.edition(one).equals(TopologyParts.edition(other)))
                .build(),
            context);
    return List.of(nodes, topologies, trigger.connected(context));
  }

  /** Profiles are few; which of them a node concerns is decided when they are planned. */
  private static Set<ResourceID> everyProfile(EventSourceContext<SparkNodeProfile> context) {
    return context
        .getPrimaryCache()
        .list()
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** Has profiles reconciled for what others computed. */
  public ReconcileTrigger<SparkNodeProfile> trigger() {
    return trigger;
  }

  /** The nodes whose labels fit. */
  public List<Node> nodes(Predicate<Node> selector) {
    return nodes.list(selector).toList();
  }

  /** The hardware of a node; empty if no agent and nobody else has written it. */
  public Optional<SparkNodeTopology> topology(String node) {
    return topologies.get(new ResourceID(node));
  }
}
