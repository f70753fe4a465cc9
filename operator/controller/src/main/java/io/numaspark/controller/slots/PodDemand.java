package io.numaspark.controller.slots;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.numaspark.planner.admission.ContainerRequest;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.render.pod.PodTranslator;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the scheduler counts of pods on a node beside their slots.
 *
 * <p>Limit: a RuntimeClass's overhead is not among it. A pod that cannot be read counts as larger
 * than every node.
 */
public record PodDemand(long milliCpus, long bytes) {
  public static final PodDemand NONE = new PodDemand(0, 0);

  /** More than any node has, and a sum of so many pods as fit into a list is still a long. */
  private static final long MOST = 1L << 52;

  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  /** The demand of all of these. */
  public static PodDemand of(List<Pod> pods) {
    return pods.stream().map(PodDemand::of).reduce(NONE, PodDemand::plus);
  }

  private static PodDemand of(Pod pod) {
    try {
      PodRequest request = PodTranslator.request(pod);
      Map<String, Quantity> own =
          Optional.ofNullable(pod.getSpec().getResources())
              .map(ResourceRequirements::getRequests)
              .orElse(Map.of());
      return new PodDemand(
          own.containsKey(CPU)
              ? milli(own.get(CPU).getNumericalAmount())
              : request.peak(PodDemand::milliCpus),
          own.containsKey(MEMORY)
              ? whole(own.get(MEMORY).getNumericalAmount())
              : request.peak(PodDemand::bytes));
    } catch (IllegalArgumentException | ArithmeticException e) {
      return new PodDemand(MOST, MOST);
    }
  }

  private PodDemand plus(PodDemand other) {
    return new PodDemand(
        Math.min(MOST, milliCpus + other.milliCpus), Math.min(MOST, bytes + other.bytes));
  }

  private static long milliCpus(ContainerRequest container) {
    return milli(container.requests().cpu().orElse(BigDecimal.ZERO));
  }

  private static long bytes(ContainerRequest container) {
    return whole(container.requests().memory().orElse(BigDecimal.ZERO));
  }

  static long milli(BigDecimal cpus) {
    return whole(cpus.min(BigDecimal.valueOf(MOST)).movePointRight(3));
  }

  static long whole(BigDecimal amount) {
    return amount.min(BigDecimal.valueOf(MOST)).setScale(0, RoundingMode.CEILING).longValue();
  }
}
