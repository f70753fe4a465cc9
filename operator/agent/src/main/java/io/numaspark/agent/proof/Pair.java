package io.numaspark.agent.proof;

import io.numaspark.agent.kubelet.PodResources;
import io.numaspark.agent.proof.KernelUsage.QuotaCounters;
import java.util.Optional;

/**
 * What the kubelet has given to a container, and what the kernel lets it use.
 *
 * @param given null if the kubelet knows of no such container
 * @param running a container with its usage; null if the kernel has none for what was given
 */
record Pair(PodResources given, KernelContainer running) {

  /** Names the two sides, to find the same pair in the next reading. */
  String key() {
    return given == null
        ? running.containerId()
        : given.namespace() + "/" + given.pod() + "/" + given.container();
  }

  /** Names the two sides with their CPUs. */
  String claim() {
    return key()
        + (given == null ? "" : " " + given.cpus())
        + (running == null ? "" : " " + running.containerId() + " " + kernelCpus());
  }

  /**
   * Whether the two disagree: one is absent, or the kernel lets the container use CPUs that were
   * not given to it. Fewer are no harm: an init container has fewer, and CPUs go offline.
   */
  boolean isContradiction() {
    if (given == null) {
      return true;
    }
    if (given.cpus().isEmpty()) {
      return false; // the kernel has nothing that belongs to this container alone
    }
    return running == null || !given.cpus().containsAll(running.usage().orElseThrow().cpus());
  }

  /** The counters of the container's CPU quota, if there are any. */
  Optional<QuotaCounters> quota() {
    return running == null ? Optional.empty() : running.usage().flatMap(KernelUsage::quota);
  }

  private String kernelCpus() {
    return running.usage().orElseThrow().cpus().toString();
  }
}
