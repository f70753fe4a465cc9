package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.Labels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What slots need to know of pods that are bound to a node, and nothing else, so that memory grows
 * slowly with the pods of a cluster.
 */
public final class BoundPods {
  private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
  private static final Set<String> KEPT_LABELS =
      Set.of(Labels.PROFILE, Labels.APPLICATION, Labels.SPARK_ROLE, Labels.SPARK_APP_SELECTOR);

  private BoundPods() {}

  /** Whether the pod holds nothing any more; one that is being deleted still does. */
  public static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null && ENDED.contains(pod.getStatus().getPhase());
  }

  /**
   * Whether the pod can take slots: the resource managers place Guaranteed pods only
   * (cpumanager/policy_static.go, memorymanager/policy_static.go), and the scheduler counts whoever
   * requests slots.
   */
  public static boolean concernsSlots(Pod pod) {
    return pod.getSpec() != null
        && pod.getSpec().getNodeName() != null
        && (isGuaranteed(pod) || containers(pod).anyMatch(BoundPods::requestsSlots));
  }

  /** The API server sets the class when a pod is created, and it never changes. */
  private static boolean isGuaranteed(Pod pod) {
    return pod.getStatus() != null && "Guaranteed".equals(pod.getStatus().getQosClass());
  }

  private static boolean requestsSlots(Container container) {
    return requests(container.getResources()).keySet().stream()
        .anyMatch(resource -> resource.startsWith(ApiGroup.SLOT_RESOURCE_PREFIX));
  }

  /** Slots that a pod requests; init containers run before the others, so the larger counts. */
  public static int slotsRequested(Pod pod, String resource) {
    int apps =
        pod.getSpec().getContainers().stream()
            .mapToInt(container -> slots(container, resource))
            .sum();
    int inits =
        Objects.requireNonNullElse(pod.getSpec().getInitContainers(), List.<Container>of()).stream()
            .mapToInt(container -> slots(container, resource))
            .max()
            .orElse(0);
    return Math.max(apps, inits);
  }

  private static int slots(Container container, String resource) {
    Quantity slots = requests(container.getResources()).get(resource);
    return slots == null ? 0 : slots.getNumericalAmount().intValue();
  }

  private static Stream<Container> containers(Pod pod) {
    return Stream.concat(
        pod.getSpec().getContainers().stream(),
        Objects.requireNonNullElse(pod.getSpec().getInitContainers(), List.<Container>of())
            .stream());
  }

  /** The pod without what slots do not depend on. */
  public static Pod trimmed(Pod pod) {
    Map<String, String> labels =
        new LinkedHashMap<>(
            Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of()));
    labels.keySet().retainAll(KEPT_LABELS);
    PodBuilder trimmed =
        new PodBuilder()
            .withNewMetadata()
            .withName(pod.getMetadata().getName())
            .withNamespace(pod.getMetadata().getNamespace())
            .withUid(pod.getMetadata().getUid())
            .withResourceVersion(pod.getMetadata().getResourceVersion())
            .withLabels(labels)
            .endMetadata()
            .withNewSpec()
            .withNodeName(pod.getSpec().getNodeName())
            .endSpec()
            .withNewStatus()
            .withPhase(pod.getStatus().getPhase())
            .withReason(pod.getStatus().getReason())
            .withQosClass(pod.getStatus().getQosClass())
            .endStatus();
    if (!concernsSlots(pod)) {
      return trimmed.build();
    }
    return trimmed
        .editSpec()
        .withContainers(trimmed(pod.getSpec().getContainers()))
        .withInitContainers(trimmed(pod.getSpec().getInitContainers()))
        .withResources(trimmed(pod.getSpec().getResources()))
        .endSpec()
        .build();
  }

  private static List<Container> trimmed(List<Container> containers) {
    return Objects.requireNonNullElse(containers, List.<Container>of()).stream()
        .map(
            container ->
                new ContainerBuilder()
                    .withName(container.getName())
                    .withRestartPolicy(container.getRestartPolicy())
                    .withResources(trimmed(container.getResources()))
                    .build())
        .toList();
  }

  private static ResourceRequirements trimmed(ResourceRequirements resources) {
    return resources == null
        ? null
        : new ResourceRequirementsBuilder()
            .withRequests(resources.getRequests())
            .withLimits(resources.getLimits())
            .build();
  }

  private static Map<String, Quantity> requests(ResourceRequirements resources) {
    return resources == null || resources.getRequests() == null
        ? Map.of()
        : resources.getRequests();
  }
}
