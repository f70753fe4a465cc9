package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.controller.event.Signal;
import io.numaspark.controller.observe.SlotNodes;
import io.numaspark.controller.observe.TopologyParts;
import io.numaspark.render.defaults.NamespaceDefaults;
import io.numaspark.render.text.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What the webhook watches: profiles, the nodes that they are planned on, and the labels and
 * defaults of namespaces.
 *
 * <p>Each replica has caches of its own, because all of them answer.
 */
public final class WebhookWatches implements AutoCloseable {
  private final Signal<String> changes = new Signal<>();
  private final SharedIndexInformer<SparkNodeProfile> profiles;
  private final SharedIndexInformer<SparkNodeTopology> topologies;
  private final SharedIndexInformer<Node> nodes;
  private final SharedIndexInformer<Namespace> namespaces;

  /** Watches that have not begun. */
  public WebhookWatches(KubernetesClient client) {
    profiles =
        plans(
            client,
            SparkNodeProfile.class,
            UnaryOperator.identity(),
            (one, other) ->
                !Objects.equals(
                    one.getMetadata().getGeneration(), other.getMetadata().getGeneration()));
    topologies =
        plans(
            client,
            SparkNodeTopology.class,
            TopologyParts::hardware,
            (one, other) -> !TopologyParts.edition(one).equals(TopologyParts.edition(other)));
    nodes = plans(client, Node.class, SlotNodes::planned, SlotNodes::plansDiffer);
    namespaces =
        client
            .resources(Namespace.class)
            .runnableInformer(0)
            .itemStore(new TransformingItemStore<>(WebhookWatches::marked))
            .exceptionHandler((started, error) -> true);
  }

  /**
   * An informer of what plans are made from.
   *
   * @param part what is kept of an object
   * @param differ whether plans may be others after a change
   */
  private <T extends HasMetadata> SharedIndexInformer<T> plans(
      KubernetesClient client, Class<T> kind, UnaryOperator<T> part, BiPredicate<T, T> differ) {
    return client
        .resources(kind)
        .runnableInformer(0)
        .itemStore(new TransformingItemStore<>(part))
        .exceptionHandler((started, error) -> true)
        .addEventHandler(
            new ResourceEventHandler<>() {
              @Override
              public void onAdd(T object) {
                changes.emit(object.getMetadata().getName());
              }

              @Override
              public void onUpdate(T before, T after) {
                if (differ.test(before, after)) {
                  changes.emit(after.getMetadata().getName());
                }
              }

              @Override
              public void onDelete(T object, boolean unknown) {
                changes.emit(object.getMetadata().getName());
              }
            });
  }

  /** Without annotations that are no defaults; they may be large. */
  private static Namespace marked(Namespace namespace) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName(namespace.getMetadata().getName())
        .withResourceVersion(namespace.getMetadata().getResourceVersion())
        .withUid(namespace.getMetadata().getUid())
        .withLabels(namespace.getMetadata().getLabels())
        .withAnnotations(defaults(namespace))
        .endMetadata()
        .build();
  }

  private static Map<String, String> defaults(Namespace namespace) {
    Map<String, String> defaults = new HashMap<>();
    if (hasDefaults(namespace) && namespace.getMetadata().getAnnotations() != null) {
      namespace
          .getMetadata()
          .getAnnotations()
          .forEach(
              (name, value) -> {
                if (name.startsWith(NamespaceDefaults.PREFIX)) {
                  defaults.put(name, value);
                }
              });
    }
    return defaults;
  }

  private static boolean hasDefaults(Namespace namespace) {
    Map<String, String> labels = namespace.getMetadata().getLabels();
    return labels != null && Labels.DEFAULTS_ON.equals(labels.get(Labels.DEFAULTS));
  }

  /** Begins to watch; the caches fill by and by. */
  public void start() {
    informers().forEach((name, informer) -> informer.start());
  }

  private Map<String, SharedIndexInformer<?>> informers() {
    return Map.of(
        "profiles", profiles, "topologies", topologies, "nodes", nodes, "namespaces", namespaces);
  }

  /** What may change plans; the name of what has changed. */
  public Signal<String> changes() {
    return changes;
  }

  /** Whether everything has been read once. */
  public boolean isLoaded() {
    return informers().values().stream().allMatch(SharedIndexInformer::hasSynced);
  }

  /** Which caches do not follow the cluster now; empty if all do. */
  public List<String> reasonsNotReady() {
    List<String> reasons = new ArrayList<>();
    informers()
        .forEach(
            (name, informer) -> {
              if (!informer.hasSynced() || !informer.isWatching()) {
                reasons.add("the watch of " + name + " is not connected to the API server");
              }
            });
    return reasons.stream().sorted().toList();
  }

  /** All profiles that are not being deleted. */
  public List<SparkNodeProfile> profiles() {
    return profiles.getStore().list().stream()
        .filter(profile -> !profile.isMarkedForDeletion())
        .toList();
  }

  /** The nodes whose labels fit. */
  public List<Node> nodes(Predicate<Node> selector) {
    return nodes.getStore().list().stream().filter(selector).toList();
  }

  /** The hardware of a node; empty if nobody has written it. */
  public Optional<SparkNodeTopology> topology(String node) {
    return Optional.ofNullable(topologies.getStore().getByKey(node));
  }

  /** The profile that the label of a namespace names; empty if it has no such label. */
  public Optional<String> profileOf(String namespace) {
    return Optional.ofNullable(namespaces.getStore().getByKey(namespace))
        .map(found -> found.getMetadata().getLabels())
        .map(labels -> labels.get(Labels.INJECT));
  }

  /** The annotations of a namespace that are defaults; empty if it is not opted in to them. */
  public Optional<Map<String, String>> defaultsOf(String namespace) {
    return Optional.ofNullable(namespaces.getStore().getByKey(namespace))
        .filter(WebhookWatches::hasDefaults)
        .map(WebhookWatches::defaults);
  }

  @Override
  public void close() {
    informers().forEach((name, informer) -> informer.stop());
  }
}
