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
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.observe.TopologyParts;
import io.numaspark.controller.slots.SlotChange;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What is watched for profiles: themselves, the labels of nodes and the hardware of nodes. */
public final class ProfileWatches {
  private final ReconcileTrigger<SparkNodeProfile> trigger =
      new ReconcileTrigger<>("slots-and-claims");
  private volatile InformerEventSource<Node, SparkNodeProfile> nodes;
  private volatile InformerEventSource<SparkNodeTopology, SparkNodeProfile> topologies;

  /** Settings of the controller that its annotation cannot say. */
  public static void configure(ControllerConfigurationOverrider<SparkNodeProfile> settings) {
    settings.withRateLimiter(ReconcileTrigger.fourASecond());
  }

  /** Makes the event sources. */
  public List<EventSource<?, SparkNodeProfile>> prepare(
      EventSourceContext<SparkNodeProfile> context) {
    nodes =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Node.class, SparkNodeProfile.class)
                .withName("nodes")
                .withSecondaryToPrimaryMapper(node -> ReconcileTrigger.every(context))
                .withItemStore(new TransformingItemStore<>(SlotNodes::planned))
                .withOnUpdateFilter(SlotNodes::plansDiffer)
                .build(),
            context);
    topologies =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeTopology.class, SparkNodeProfile.class)
                .withName("topologies")
                .withSecondaryToPrimaryMapper(topology -> ReconcileTrigger.every(context))
                .withItemStore(new TransformingItemStore<>(TopologyParts::hardware))
                .withOnUpdateFilter(
                    (one, other) ->
                        !TopologyParts.edition(one).equals(TopologyParts.edition(other)))
                .build(),
            context);
    return List.of(nodes, topologies, trigger.connected(context));
  }

  /** Has profiles reconciled for what others computed. */
  public ReconcileTrigger<SparkNodeProfile> trigger() {
    return trigger;
  }

  /** Has the profiles of a node reconciled, if more has changed there than the use of slots. */
  public void slotsChanged(SlotChange change) {
    if (change.concernsStatus()) {
      trigger.reconcileEach(change.profiles());
    }
  }

  /** Has profiles reconciled for an agent; those that have the node show what it reports. */
  public void agentChanged(String node) {
    trigger.reconcileAll();
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
