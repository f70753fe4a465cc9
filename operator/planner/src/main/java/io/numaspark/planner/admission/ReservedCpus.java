package io.numaspark.planner.admission;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletVersion;
import io.numaspark.planner.topology.NodeTopology;
import java.util.BitSet;
import java.util.Optional;
import java.util.SortedMap;

/** The CPUs that a kubelet reserves when only their number is configured. */
public final class ReservedCpus {
  private ReservedCpus() {}

  /**
   * The kubelet takes them like any request, from all CPUs (policy_static.go: NewStaticPolicy).
   *
   * @param cpuManagerOptions cpuManagerPolicyOptions as written, which change where CPUs are taken
   * @param version the kubelet's, if it is known
   * @throws IllegalArgumentException if there are not as many, or the kubelet does not find them
   */
  public static CpuSet choose(
      NodeTopology topology,
      SortedMap<String, String> cpuManagerOptions,
      Optional<KubeletVersion> version,
      int count) {
    CpuTopology cpus = CpuTopology.of(topology);
    try {
      BitSet taken =
          new CpuAssignment(
                  cpus, CpuManagerOptions.of(cpuManagerOptions, KubeletRelease.of(version)))
              .take(cpus.cpus(), count);
      if (taken.cardinality() == count) {
        return CpuTopology.set(taken);
      }
    } catch (AdmissionFailure | UndefinedByKubelet e) {
      // Told below: what matters is that the kubelet does not start.
    }
    throw new IllegalArgumentException(
        "the kubelet cannot reserve %d of %d CPUs; reserve fewer, or name them with reservedCpus"
            .formatted(count, cpus.cpus().cardinality()));
  }
}
