package io.numaspark.controller.slots;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.WantedPins;
import io.numaspark.controller.observe.BoundPods;
import io.numaspark.planner.topology.CpuSet;
import java.util.List;

/**
 * The CPUs that all pods without slots share on a node that its container runtime pins, and what
 * these pods request.
 *
 * <p>Limit: of pods that are not Guaranteed nothing is known, so that more may be requested.
 */
public record SharedCpus(int cpus, long requested) {

  /** Of a node with these pods, for which this is wanted. */
  public static SharedCpus of(WantedPins wanted, List<Pod> pods) {
    String resource = ApiGroup.slotResource(wanted.profile());
    List<Pod> others =
        pods.stream()
            .filter(pod -> !BoundPods.hasEnded(pod))
            .filter(pod -> BoundPods.slotsRequested(pod, resource) == 0)
            .toList();
    return new SharedCpus(
        CpuSet.parse(wanted.sharedCpus()).size(), (PodDemand.of(others).milliCpus() + 999) / 1000);
  }

  /** Whether the pods have been promised more than there is. */
  public boolean areTooFew() {
    return requested > cpus;
  }
}
