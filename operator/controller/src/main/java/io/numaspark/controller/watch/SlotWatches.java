package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.config.OperatorConfig;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.controller.status.WithheldStatus;
import io.numaspark.controller.store.RejectionInbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What is watched for the slots of nodes: the nodes' status, the pods on them, profiles. */
public final class SlotWatches {
  private final OperatorConfig config;
  private final KubernetesClient podClient;
  private final RejectionInbox inbox;
  private final ReconcileTrigger<Node> trigger = new ReconcileTrigger<>("plans");
  private volatile InformerEventSource<SparkNodeProfile, Node> profiles;
  private volatile List<BoundPodSource> pods;

  /**
   * Watches.
   *
   * @param config says whose pods may be watched
   * @param podClient that pods are watched with
   * @param inbox is shown every version of every pod: a pod that was rejected may be gone before
   *     its node is reconciled
   */
  public SlotWatches(OperatorConfig config, KubernetesClient podClient, RejectionInbox inbox) {
    this.config = config;
    this.podClient = podClient;
    this.inbox = inbox;
  }

  /** Settings of the controller that its annotation cannot say. */
  public static void configure(ControllerConfigurationOverrider<Node> settings) {
    settings
        .withItemStore(new TransformingItemStore<>(SlotNodes::trimmed))
        .withOnUpdateFilter(SlotNodes::slotsDiffer)
        .withRateLimiter(ReconcileTrigger.fourASecond());
  }

  /** Makes the event sources. */
  public List<EventSource<?, Node>> prepare(EventSourceContext<Node> context) {
    profiles =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(SparkNodeProfile.class, Node.class)
                .withName("profiles")
                .withWatchAllNamespaces()
                .withOnAddFilter(profile -> false)
                .withOnUpdateFilter((after, before) -> !withheld(after).equals(withheld(before)))
                .withSecondaryToPrimaryMapper(profile -> concernedBy(profile, context))
                .build(),
            context);
    List<BoundPodSource> bound = new ArrayList<>();
    if (config.foreignPods()) {
      bound.add(BoundPodSource.ours(podClient, Set.of(), context, inbox::offer));
      bound.add(BoundPodSource.foreign(podClient, context));
    } else {
      bound.add(BoundPodSource.ours(podClient, config.namespaces(), context, inbox::offer));
    }
    pods = bound;
    List<EventSource<?, Node>> sources = new ArrayList<>(bound);
    sources.add(profiles);
    sources.add(trigger.connected(context));
    return sources;
  }

  private static Map<String, Withheld> withheld(SparkNodeProfile profile) {
    return profile.getStatus() == null ? Map.of() : WithheldStatus.read(profile.getStatus());
  }

  /** Nodes that a profile's status says are withheld; all that have its slots if it is gone. */
  private Set<ResourceID> concernedBy(SparkNodeProfile profile, EventSourceContext<Node> context) {
    boolean exists =
        profiles
            .get(ResourceID.fromResource(profile))
            .filter(known -> known.getMetadata().getUid().equals(profile.getMetadata().getUid()))
            .isPresent();
    return exists
        ? withheld(profile).keySet().stream().map(ResourceID::new).collect(Collectors.toSet())
        : nodesWithSlotsOf(profile, context);
  }

  private static Set<ResourceID> nodesWithSlotsOf(
      SparkNodeProfile profile, EventSourceContext<Node> context) {
    String resource = ApiGroup.slotResource(profile.getMetadata().getName());
    return context
        .getPrimaryCache()
        .list()
        .filter(node -> SlotNodes.slotResources(node).contains(resource))
        .map(ResourceID::fromResource)
        .collect(Collectors.toSet());
  }

  /** Has the slots of nodes counted for what others computed. */
  public ReconcileTrigger<Node> trigger() {
    return trigger;
  }

  /** The pods that are bound to a node and can take slots; those that have ended included. */
  public List<Pod> pods(Node node) {
    return pods.stream()
        .flatMap(source -> source.getSecondaryResources(node).stream())
        .filter(BoundPods::concernsSlots)
        .toList();
  }

  /** A profile, if it exists. */
  public Optional<SparkNodeProfile> profile(String name) {
    return profiles.get(new ResourceID(name));
  }

  /** What a profile's status says of a node: why its free slots are withheld. */
  public Optional<Withheld> withheld(String profile, String node) {
    return profile(profile).map(found -> withheld(found).get(node));
  }
}
