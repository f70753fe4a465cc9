package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelector;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.render.text.Labels;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Pods that are bound to nodes, kept without what slots do not depend on, and an event for the node
 * when one comes, ends or goes.
 */
final class BoundPodSource extends InformerEventSource<Pod, Node> {
  private static final FieldSelector.Field BOUND =
      new FieldSelector.Field("spec.nodeName", "", true);
  private static final FieldSelector.Field NOT_SUCCEEDED =
      new FieldSelector.Field("status.phase", "Succeeded", true);
  private static final FieldSelector.Field NOT_FAILED =
      new FieldSelector.Field("status.phase", "Failed", true);

  private final BiConsumer<Optional<Pod>, Pod> onAny;

  private BoundPodSource(
      InformerEventSourceConfiguration<Pod> configuration,
      EventSourceContext<Node> context,
      BiConsumer<Optional<Pod>, Pod> onAny) {
    super(configuration, context);
    this.onAny = onAny;
  }

  /**
   * Drivers and executors of applications with a profile: those of other operators too where all
   * pods may be watched, because two operators that see different pods would each write its own
   * count to the same node.
   *
   * @param namespaces whose pods may be watched; empty for all
   * @param onAny called with each pod that comes or changes, as the API server gives it, and with
   *     the version before it: a pod that was rejected may be gone before its node is looked at
   */
  static BoundPodSource ours(
      KubernetesClient client,
      Set<String> namespaces,
      EventSourceContext<Node> context,
      BiConsumer<Optional<Pod>, Pod> onAny) {
    var configuration =
        configuration(client, "pinned-pods", Labels.PROFILE, BOUND)
            .withNamespaces(
                namespaces.isEmpty() ? Set.of(Constants.WATCH_ALL_NAMESPACES) : namespaces);
    return new BoundPodSource(configuration.build(), context, onAny);
  }

  /** All other pods of the cluster that have not ended. */
  static BoundPodSource foreign(KubernetesClient client, EventSourceContext<Node> context) {
    var configuration =
        configuration(
                client, "foreign-pods", "!" + Labels.PROFILE, BOUND, NOT_SUCCEEDED, NOT_FAILED)
            .withWatchAllNamespaces();
    return new BoundPodSource(configuration.build(), context, (before, pod) -> {});
  }

  private static InformerEventSourceConfiguration.Builder<Pod> configuration(
      KubernetesClient client, String name, String labels, FieldSelector.Field... fields) {
    return InformerEventSourceConfiguration.from(Pod.class, Node.class)
        .withKubernetesClient(client)
        .withName(name)
        .withLabelSelector(labels)
        .withFieldSelector(new FieldSelector(List.of(fields)))
        .withItemStore(new TransformingItemStore<>(BoundPods::trimmed))
        .withOnUpdateFilter(BoundPodSource::changesSlots)
        .withSecondaryToPrimaryMapper(
            pod ->
                BoundPods.concernsSlots(pod)
                    ? Set.of(new ResourceID(pod.getSpec().getNodeName()))
                    : Set.of());
  }

  private static boolean changesSlots(Pod after, Pod before) {
    Pod now = BoundPods.trimmed(after);
    return BoundPods.hasEnded(now) != BoundPods.hasEnded(before)
        || !Objects.equals(now.getMetadata().getUid(), before.getMetadata().getUid())
        || !Objects.equals(now.getSpec(), before.getSpec());
  }

  @Override
  public void onAdd(Pod pod) {
    onAny.accept(Optional.empty(), pod);
    super.onAdd(pod);
  }

  @Override
  public void onUpdate(Pod before, Pod after) {
    onAny.accept(Optional.of(before), after);
    super.onUpdate(before, after);
  }
}
