package io.numaspark.planner.admission;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What the kubelet's resource managers see of a pod.
 *
 * @param name unique among the pods on the node at one time
 * @param containers init containers and sidecars in their order, then the others
 * @param podLevelResources whether the pod has spec.resources; {@link KubeletRelease#places} says
 *     what that means
 */
public record PodRequest(
    String name, List<ContainerRequest> containers, boolean podLevelResources) {

  public PodRequest {
    containers =
        containers.stream()
            .sorted(
                Comparator.comparing(
                    container -> container.role() == ContainerRequest.Role.APP ? 1 : 0))
            .toList();
  }

  /** A Guaranteed pod of one container. */
  public static PodRequest guaranteed(String name, int cpus, long memoryBytes) {
    ResourceAmounts amounts = ResourceAmounts.of(cpus, memoryBytes);
    return new PodRequest(
        name,
        List.of(new ContainerRequest("main", ContainerRequest.Role.APP, amounts, amounts)),
        false);
  }

  public QosClass qos() {
    return QosClass.of(containers);
  }

  List<ContainerRequest> of(ContainerRequest.Role role) {
    return containers.stream().filter(container -> container.role() == role).toList();
  }

  /**
   * Exclusive CPUs that a container of a placed pod asks for: its request if that is whole, else 0,
   * which means the shared pool (policy_static.go: guaranteedCPUs, isIntegralCPUAmount).
   */
  public static int exclusiveCpus(ContainerRequest container) {
    BigDecimal cpu = container.requests().cpu().orElse(BigDecimal.ZERO);
    BigDecimal whole = cpu.setScale(0, RoundingMode.CEILING);
    BigDecimal milli = cpu.movePointRight(3).setScale(0, RoundingMode.CEILING);
    return whole.movePointRight(3).compareTo(milli) == 0
        ? whole.min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue()
        : 0;
  }

  /**
   * The largest need of a resource at any time: init containers run one after another, each beside
   * the sidecars that were started before it (policy_static.go: podGuaranteedCPUs,
   * getPodRequestedResources).
   */
  public long peak(ToLongFunction<ContainerRequest> need) {
    long sidecars = 0;
    long init = 0;
    long apps = 0;
    for (ContainerRequest container : containers) {
      long own = need.applyAsLong(container);
      switch (container.role()) {
        case SIDECAR -> sidecars += own;
        case INIT -> init = Math.max(init, sidecars + own);
        case APP -> apps += own;
      }
    }
    return Math.max(init, apps + sidecars);
  }
}
