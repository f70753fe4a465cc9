package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelector;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.numaspark.controller.observe.ForeignExecutorPods;
import io.numaspark.render.text.Labels;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What is watched of the executors of others: their pods in all namespaces, and which namespaces
 * are opted in.
 *
 * <p>Limit: of pods without slot or annotation only the names are kept.
 */
public final class ForeignWatches {
  private static final FieldSelector NOT_ENDED =
      new FieldSelector(
          List.of(
              new FieldSelector.Field("status.phase", "Succeeded", true),
              new FieldSelector.Field("status.phase", "Failed", true)));

  private final KubernetesClient podClient;
  private volatile InformerEventSource<Pod, Namespace> executors;

  /**
   * Watches.
   *
   * @param podClient that pods are watched with
   */
  public ForeignWatches(KubernetesClient podClient) {
    this.podClient = podClient;
  }

  /**
   * Settings of the controller that its annotation cannot say.
   *
   * @param own the operator's namespace, which the webhook leaves out, as kube-system
   */
  public static void configure(
      ControllerConfigurationOverrider<Namespace> settings, Optional<String> own) {
    settings
        .withItemStore(new TransformingItemStore<>(ForeignWatches::labelled))
        .withLabelSelector(
            "%s,%s!=%s,kubernetes.io/metadata.name notin (%s)"
                .formatted(
                    Labels.INJECT,
                    Labels.INJECT,
                    Labels.INJECT_NOT,
                    own.map(name -> "kube-system," + name).orElse("kube-system")))
        .withOnUpdateFilter((after, before) -> !profile(after).equals(profile(before)))
        .withRateLimiter(ReconcileTrigger.fourASecond());
  }

  private static String profile(Namespace namespace) {
    return Objects.requireNonNullElse(
        namespace.getMetadata().getLabels().get(Labels.INJECT), Labels.INJECT_NOT);
  }

  /** Others may write as much into labels and annotations of namespaces as they like. */
  private static Namespace labelled(Namespace namespace) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName(namespace.getMetadata().getName())
        .withUid(namespace.getMetadata().getUid())
        .withResourceVersion(namespace.getMetadata().getResourceVersion())
        .withLabels(Map.of(Labels.INJECT, profile(namespace)))
        .endMetadata()
        .build();
  }

  /** Makes the event sources. */
  public List<EventSource<?, Namespace>> prepare(EventSourceContext<Namespace> context) {
    executors =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, Namespace.class)
                .withKubernetesClient(podClient)
                .withName("foreign-executors")
                .withWatchAllNamespaces()
                .withLabelSelector(ForeignExecutorPods.SELECTOR)
                .withFieldSelector(NOT_ENDED)
                .withItemStore(new TransformingItemStore<>(ForeignExecutorPods::trimmed))
                .withOnUpdateFilter(ForeignExecutorPods::notesDiffer)
                .withOnDeleteFilter((pod, unknown) -> false)
                .withSecondaryToPrimaryMapper(
                    pod -> Set.of(new ResourceID(pod.getMetadata().getNamespace())))
                .build(),
            context);
    return List.of(executors);
  }

  /** Those of a namespace, in the order of their names. */
  public List<Pod> executors(Namespace namespace) {
    return executors.getSecondaryResources(namespace).stream()
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .toList();
  }

  /** Those of all namespaces; none before they are watched. */
  public List<Pod> executors() {
    InformerEventSource<Pod, Namespace> source = executors;
    return source == null || !source.isRunning() ? List.of() : source.list().toList();
  }
}
