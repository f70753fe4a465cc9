package io.numaspark.planner.admission;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Quality of service class of a pod; only Guaranteed pods get CPUs and memory of their own. */
public enum QosClass {
  GUARANTEED,
  BURSTABLE,
  BEST_EFFORT;

  /**
   * The class of a pod (qos.go: ComputePodQOS).
   *
   * <p>The sums of requests and limits are compared, as the kubelet does, not each container's.
   */
  static QosClass of(List<ContainerRequest> containers) {
    boolean allLimited = true;
    Sum cpuRequests = new Sum();
    Sum cpuLimits = new Sum();
    Sum memoryRequests = new Sum();
    Sum memoryLimits = new Sum();
    for (ContainerRequest container : containers) {
      cpuRequests.add(container.requests().cpu());
      memoryRequests.add(container.requests().memory());
      boolean cpuLimited = cpuLimits.add(container.limits().cpu());
      boolean memoryLimited = memoryLimits.add(container.limits().memory());
      allLimited &= cpuLimited && memoryLimited;
    }
    if (cpuRequests.isZero()
        && cpuLimits.isZero()
        && memoryRequests.isZero()
        && memoryLimits.isZero()) {
      return BEST_EFFORT;
    }
    return allLimited && cpuRequests.equalTo(cpuLimits) && memoryRequests.equalTo(memoryLimits)
        ? GUARANTEED
        : BURSTABLE;
  }

  /** A sum of positive amounts. */
  private static final class Sum {
    private BigDecimal value = BigDecimal.ZERO;

    /** Adds an amount and says whether it was positive. */
    boolean add(Optional<BigDecimal> amount) {
      boolean positive = amount.isPresent() && amount.get().signum() > 0;
      if (positive) {
        value = value.add(amount.get());
      }
      return positive;
    }

    boolean isZero() {
      return value.signum() == 0;
    }

    boolean equalTo(Sum other) {
      return value.compareTo(other.value) == 0;
    }
  }
}
