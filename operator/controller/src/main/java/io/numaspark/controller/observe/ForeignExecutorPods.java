package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.numaspark.render.inject.InjectionNotes;
import io.numaspark.render.proof.SlotRequest;
import io.numaspark.render.text.Labels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What is kept of executors that others create: of one with a slot what its proof needs, and of all
 * others their names and annotations.
 *
 * <p>Limit: a pod has to come from a client with {@link TrimmedPods}, which bounds the texts.
 */
public final class ForeignExecutorPods {
  /** Executors that numaspark did not create. */
  public static final String SELECTOR =
      Labels.SPARK_ROLE + "=" + Labels.ROLE_EXECUTOR + ",!" + Labels.APPLICATION;

  private static final Set<String> KEPT_LABELS = Set.of(Labels.SPARK_APP_SELECTOR, Labels.INJECT);
  private static final Set<String> KEPT_ANNOTATIONS =
      Set.of(Labels.PIN, InjectionNotes.SUMMARY, InjectionNotes.REASON);

  private ForeignExecutorPods() {}

  /** The pod without the rest. */
  public static Pod trimmed(Pod pod) {
    PodBuilder trimmed =
        new PodBuilder()
            .withNewMetadata()
            .withName(pod.getMetadata().getName())
            .withNamespace(pod.getMetadata().getNamespace())
            .withUid(pod.getMetadata().getUid())
            .withResourceVersion(pod.getMetadata().getResourceVersion())
            .withCreationTimestamp(pod.getMetadata().getCreationTimestamp())
            .withLabels(kept(pod.getMetadata().getLabels(), KEPT_LABELS))
            .withAnnotations(kept(pod.getMetadata().getAnnotations(), KEPT_ANNOTATIONS))
            .endMetadata();
    if (SlotRequest.of(pod).isEmpty()) {
      return trimmed.build();
    }
    return trimmed
        .withNewSpec()
        .withNodeName(pod.getSpec().getNodeName())
        .withContainers(sizes(pod.getSpec().getContainers()))
        .withInitContainers(sizes(pod.getSpec().getInitContainers()))
        .withResources(pod.getSpec().getResources())
        .endSpec()
        .withStatus(pod.getStatus())
        .build();
  }

  /** Whether there may be something else to announce. */
  public static boolean notesDiffer(Pod one, Pod other) {
    return !Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid())
        || !kept(one.getMetadata().getAnnotations(), KEPT_ANNOTATIONS)
            .equals(kept(other.getMetadata().getAnnotations(), KEPT_ANNOTATIONS));
  }

  private static Map<String, String> kept(Map<String, String> entries, Set<String> names) {
    Map<String, String> kept =
        new LinkedHashMap<>(Objects.requireNonNullElse(entries, Map.<String, String>of()));
    kept.keySet().retainAll(names);
    return kept;
  }

  private static List<Container> sizes(List<Container> containers) {
    return Objects.requireNonNullElse(containers, List.<Container>of()).stream()
        .map(
            container ->
                new ContainerBuilder()
                    .withName(container.getName())
                    .withRestartPolicy(container.getRestartPolicy())
                    .withResources(container.getResources())
                    .build())
        .toList();
  }
}
