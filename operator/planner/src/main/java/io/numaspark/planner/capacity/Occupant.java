package io.numaspark.planner.capacity;

import io.numaspark.planner.admission.ContainerRequest;
import io.numaspark.planner.admission.KubeletRelease;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.TopologyManagerScope;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Stream;

/**
 * A pod that is bound to a node and has not ended: what it holds and how many slots it asked for.
 *
 * <p>Limit: where it sits is not known, only that each claim lies in one NUMA node.
 *
 * @param name for people
 * @param claims none for pods of the shared pool whose memory is not counted
 * @param slotsRequested its request of the profile's slot resource, 0 for pods that have none
 */
public record Occupant(String name, List<Claim> claims, int slotsRequested) {
  private static final BigDecimal MOST_BYTES = BigDecimal.valueOf(Long.MAX_VALUE);

  public Occupant {
    claims = claims.stream().filter(claim -> !claim.isEmpty()).toList();
    if (slotsRequested < 0) {
      throw new IllegalArgumentException(
          "pod %s requests %d slots: a request cannot be negative".formatted(name, slotsRequested));
    }
  }

  /** A pod with one claim. */
  public Occupant(String name, int cpus, long memoryBytes, int slotsRequested) {
    this(name, List.of(new Claim(cpus, memoryBytes)), slotsRequested);
  }

  /**
   * What a pod holds under the settings of its node's kubelet.
   *
   * <p>Only Guaranteed pods hold anything: CPUs in containers whose request is whole (cpumanager/
   * policy_static.go: guaranteedCPUs), memory in all of them if the Memory Manager is Static. With
   * scope pod it is one claim, with scope container each container has its own
   * (topologymanager/scope_pod.go, scope_container.go).
   *
   * <p>With scope pod the Memory Manager holds the pod's peak: what init containers leave is used
   * again exactly. CPUs that init containers leave need not be the ones that the others take, and
   * stay with the pod; they are the peak only if CPUs are taken in one fixed order of whole cores,
   * and the sum over all containers otherwise.
   */
  public static Occupant of(PodRequest pod, int slotsRequested, KubeletSettings kubelet) {
    if (!KubeletRelease.of(kubelet).places(pod, kubelet)) {
      return new Occupant(pod.name(), List.of(), slotsRequested);
    }
    boolean cpus = kubelet.cpuManagerPolicy() == CpuManagerPolicy.STATIC;
    boolean memory = kubelet.memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
    if (kubelet.topologyManagerScope() == TopologyManagerScope.CONTAINER) {
      return new Occupant(
          pod.name(),
          pod.containers().stream()
              .map(
                  container ->
                      new Claim(
                          cpus ? PodRequest.exclusiveCpus(container) : 0,
                          memory ? memoryBytes(container) : 0))
              .toList(),
          slotsRequested);
    }
    long held =
        takesWholeCoresInOrder(kubelet)
            ? pod.peak(PodRequest::exclusiveCpus)
            : pod.containers().stream().mapToLong(PodRequest::exclusiveCpus).sum();
    return new Occupant(
        pod.name(),
        cpus ? (int) Math.min(Integer.MAX_VALUE, held) : 0,
        memory ? peakBytes(pod) : 0,
        slotsRequested);
  }

  private static boolean takesWholeCoresInOrder(KubeletSettings kubelet) {
    return kubelet.hasOption(KubeletSettings.FULL_PCPUS_ONLY)
        && Stream.of(
                KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE,
                KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES,
                KubeletSettings.DISTRIBUTE_CPUS_ACROSS_NUMA,
                KubeletSettings.ALIGN_BY_SOCKET)
            .noneMatch(kubelet::hasOption);
  }

  /** The peak, or the largest long if a sum on the way could be larger. */
  private static long peakBytes(PodRequest pod) {
    BigDecimal sum =
        pod.containers().stream()
            .map(container -> BigDecimal.valueOf(memoryBytes(container)))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    return sum.compareTo(MOST_BYTES) >= 0 ? Long.MAX_VALUE : pod.peak(Occupant::memoryBytes);
  }

  private static long memoryBytes(ContainerRequest container) {
    return container
        .requests()
        .memory()
        .orElse(BigDecimal.ZERO)
        .min(MOST_BYTES)
        .setScale(0, RoundingMode.CEILING)
        .longValue();
  }
}
