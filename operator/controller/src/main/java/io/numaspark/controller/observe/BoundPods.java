package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.text.Labels;
import java.math.BigDecimal;
import java.math.RoundingMode;
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

  private static final Set<String> PLAIN_RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");
  private static final String SCHEDULED = "PodScheduled";
  private static final BigDecimal MOST_SLOTS = BigDecimal.valueOf(Integer.MAX_VALUE);

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

  /**
   * Slots that a pod requests at any one time, as the scheduler adds them up: init containers run
   * one after another, each beside the sidecars that were started before it.
   *
   * <p>A number that is too large for an int is the largest int: authors of pods write what they
   * like.
   */
  public static int slotsRequested(Pod pod, String resource) {
    long sidecars = 0;
    long inits = 0;
    for (Container container : initContainers(pod)) {
      long own = slots(container, resource);
      inits = Math.max(inits, sidecars + own);
      sidecars += "Always".equals(container.getRestartPolicy()) ? own : 0;
    }
    long apps =
        pod.getSpec().getContainers().stream()
            .mapToLong(container -> slots(container, resource))
            .sum();
    return (int) Math.min(Integer.MAX_VALUE, Math.max(inits, sidecars + apps));
  }

  private static long slots(Container container, String resource) {
    Quantity slots = requests(container.getResources()).get(resource);
    return slots == null ? 0 : whole(slots);
  }

  /** From 0 to the largest int; the API server lets no fraction through, so it rounds up. */
  private static long whole(Quantity quantity) {
    BigDecimal amount;
    try {
      amount = quantity.getNumericalAmount();
    } catch (IllegalArgumentException | ArithmeticException e) {
      return Integer.MAX_VALUE; // What cannot be read may be any number.
    }
    if (amount.signum() <= 0) {
      return 0;
    }
    // Compared before it is rounded: the digits of 1e999999999 would fill the heap.
    return amount.compareTo(BigDecimal.ONE) <= 0
        ? 1
        : amount.min(MOST_SLOTS).setScale(0, RoundingMode.CEILING).longValue();
  }

  /** Whether the pod asks the pinner of its node for slots of a profile. */
  public static boolean asksPinner(Pod pod, String profile) {
    return profile.equals(
        Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of())
            .get(Labels.PIN));
  }

  /** Whether the pod asks for anything but CPUs, memory, disk and slots of this resource. */
  public static boolean asksForMore(Pod pod, String resource) {
    return pod.getSpec().getResources() != null
        || containers(pod)
            .flatMap(container -> requests(container.getResources()).keySet().stream())
            .anyMatch(asked -> !PLAIN_RESOURCES.contains(asked) && !asked.equals(resource));
  }

  /**
   * Whether a scheduler bound the pod to its node. The API server says so when it carries out the
   * binding; of a pod whose author wrote the node's name it does not.
   *
   * <p>Limit: a kubelet that rejects the pod may take the condition away again.
   */
  public static boolean wasScheduled(Pod pod) {
    return pod.getStatus() != null
        && Objects.requireNonNullElse(pod.getStatus().getConditions(), List.<PodCondition>of())
            .stream()
            .anyMatch(
                condition ->
                    SCHEDULED.equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  private static List<Container> initContainers(Pod pod) {
    return Objects.requireNonNullElse(pod.getSpec().getInitContainers(), List.of());
  }

  private static Stream<Container> containers(Pod pod) {
    return Stream.concat(pod.getSpec().getContainers().stream(), initContainers(pod).stream());
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
            .withAnnotations(trimmed(pod.getMetadata().getAnnotations()))
            .endMetadata()
            .withNewSpec()
            .withNodeName(pod.getSpec().getNodeName())
            .endSpec()
            .withStatus(trimmed(pod, pod.getStatus()));
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

  private static Map<String, String> trimmed(Map<String, String> annotations) {
    return annotations == null || !annotations.containsKey(Labels.PIN)
        ? Map.of()
        : Map.of(Labels.PIN, annotations.get(Labels.PIN));
  }

  private static PodStatus trimmed(Pod pod, PodStatus status) {
    if (status == null) {
      return new PodStatus();
    }
    PodStatusBuilder trimmed =
        new PodStatusBuilder()
            .withPhase(status.getPhase())
            .withReason(status.getReason())
            .withQosClass(status.getQosClass());
    return wasScheduled(pod)
        ? trimmed.addNewCondition().withType(SCHEDULED).withStatus("True").endCondition().build()
        : trimmed.build();
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
