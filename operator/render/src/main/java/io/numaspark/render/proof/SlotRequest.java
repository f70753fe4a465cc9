package io.numaspark.render.proof;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.ApiGroup;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The container of a pod that requests slots of a profile.
 *
 * <p>Limit: of several such containers it is the first one, and of several profiles the first by
 * name; numaspark writes neither.
 *
 * @param profile whose slots these are
 */
public record SlotRequest(String profile, Container container) {
  /** Larger than any node, and small enough for an int. */
  private static final BigDecimal MOST_CPUS = BigDecimal.valueOf(1 << 20);

  /** The request; empty if no container has one. */
  public static Optional<SlotRequest> of(Pod pod) {
    List<Container> containers =
        pod.getSpec() == null
            ? List.of()
            : Objects.requireNonNullElse(pod.getSpec().getContainers(), List.<Container>of());
    return containers.stream()
        .flatMap(
            container ->
                requests(container).keySet().stream()
                    .filter(resource -> resource.startsWith(ApiGroup.SLOT_RESOURCE_PREFIX))
                    .sorted()
                    .limit(1)
                    .map(
                        resource ->
                            new SlotRequest(
                                resource.substring(ApiGroup.SLOT_RESOURCE_PREFIX.length()),
                                container)))
        .findFirst();
  }

  /** CPUs that a container requests, rounded up; 0 if it requests none, or what is no amount. */
  public static int cpus(Container container) {
    Quantity cpu = requests(container).get("cpu");
    try {
      return cpu == null
          ? 0
          // Compared before it is rounded: the digits of 1e999999999 would fill the heap.
          : cpu.getNumericalAmount()
              .max(BigDecimal.ZERO)
              .min(MOST_CPUS)
              .setScale(0, RoundingMode.CEILING)
              .intValue();
    } catch (IllegalArgumentException | ArithmeticException e) {
      return 0;
    }
  }

  private static Map<String, Quantity> requests(Container container) {
    return container.getResources() == null || container.getResources().getRequests() == null
        ? Map.of()
        : container.getResources().getRequests();
  }
}
