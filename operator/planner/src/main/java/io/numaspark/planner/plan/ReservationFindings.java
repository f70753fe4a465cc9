package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuReservation;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NodeTopology;

/**
 * CPUs that are kept for the system, but chosen by the kubelet or a part of a core.
 *
 * <p>Limit: where they cost fewer executors depends on the shape, which only the plan knows.
 */
final class ReservationFindings {
  private ReservationFindings() {}

  static void add(Machine machine, Findings findings) {
    CpuSet reserved = machine.reservedCpus();
    NodeTopology topology = machine.topology();
    if (machine.kubelet().reservedCpus() instanceof CpuReservation.Counted) {
      findings.info(
          Reason.RESERVATION_NOT_EXPLICIT,
          "the kubelet chooses which CPUs it reserves ("
              + reserved
              + "); if kubeReserved.cpu + systemReserved.cpu is not a whole number, the scheduler also counts up to one CPU"
              + " more than can be pinned",
          "name whole cores in reservedSystemCPUs; `numaspark kubelet-config` proposes them");
    }
    addLoneThreads(topology, reserved, findings);
  }

  private static void addLoneThreads(NodeTopology topology, CpuSet reserved, Findings findings) {
    for (Core core : topology.cores()) {
      CpuSet kept = core.threads().intersect(reserved);
      if (!kept.isEmpty() && kept.size() < core.threads().size()) {
        findings.warning(
            Reason.LONE_RESERVED_THREAD,
            "of core "
                + core.threads()
                + " only "
                + kept
                + " is reserved: the plan leaves the core out, but the kubelet may give the rest of it to a pod, even with"
                + " full-pcpus-only",
            "reserve all threads of a core: " + core.threads() + ", or none");
      }
    }
  }
}
