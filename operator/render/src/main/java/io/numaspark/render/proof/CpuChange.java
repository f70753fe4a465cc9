package io.numaspark.render.proof;

import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import java.util.Optional;

/**
 * How an executor that had CPUs of its own has come to others, as far as the sets themselves show
 * it.
 *
 * <p>Limit: which program has changed a cpuset nobody records, so only a likely cause is named.
 *
 * @param given what kubelet or container runtime say now
 * @param kernel what the kernel lets it use
 * @param started what it had when it started, if it has reported that
 * @param isRemote whether its memory is bound to other NUMA nodes than it was given
 */
record CpuChange(CpuSet given, CpuSet kernel, Optional<CpuSet> started, boolean isRemote) {
  /** The kubelet writes a cpuset again only when it gives other CPUs. */
  static final String BY_ANOTHER =
      "another program has changed the cpuset of its container (AllowedCPUs of systemd, or a write to cpuset.cpus), and the kubelet does"
          + " not set it again; stop that program, then delete the pod";

  /** The cause; empty if all sets agree, or nothing explains why they do not. */
  Optional<Diagnosis> cause(Machine machine) {
    String giver = machine.isPinnedByRuntime() ? "the container runtime" : "the kubelet";
    if (RuncDefect.explains(given, kernel)) {
      return Optional.of(
          new Diagnosis(
              ExecutorReason.MOVED_BY_RUNC,
              "%s has given it CPUs %s, and the kernel lets it use %s, while its memory stays where it was: runc before 1.1.6 gives systemd the bytes of CPU sets in the wrong order (opencontainers/runc issue 3808), and systemd was reloaded; update runc on this node to 1.1.6 or later, then delete the pods of its executors"
                  .formatted(giver, given, kernel)));
    }
    CpuSet missing = given.minus(kernel);
    if (!missing.isEmpty()
        && given.containsAll(kernel)
        && !missing.intersects(machine.topology().cpus())) {
      return Optional.of(
          new Diagnosis(
              ExecutorReason.CPUS_OFFLINE,
              "%s has given it CPUs %s, and the kernel lets it use %s, because CPUs %s are offline: its threads share the rest; set them online (echo 1 > /sys/devices/system/cpu/cpuN/online), and it has them again"
                  .formatted(giver, given, kernel, missing)));
    }
    if (machine.isPinnedByRuntime()) {
      return Optional.empty();
    }
    if (!kernel.equals(given)) {
      return Optional.of(
          new Diagnosis(
              ExecutorReason.KERNEL_DISAGREES,
              "the kubelet has given it CPUs %s, but the kernel lets it use %s: %s"
                  .formatted(given, kernel, BY_ANOTHER)));
    }
    Optional<CpuSet> before =
        started.filter(cpus -> !cpus.equals(given) && cpus.size() == given.size());
    return before.isPresent() || isRemote
        ? Optional.of(
            new Diagnosis(
                ExecutorReason.MOVED_BY_KUBELET,
                "%sthe kubelet has moved it to CPUs %s, while its memory stays where it was: the kubelet has lost what it had given, because its cpu_manager_state was removed (as a change of reservedSystemCPUs or of a policy needs); drain the node before such a change; now delete the pod"
                    .formatted(
                        before.map("it was started on CPUs %s, and "::formatted).orElse(""),
                        given)))
        : Optional.empty();
  }
}
