package io.numaspark.planner.topology;

/** CPUs that the kubelet keeps out of exclusive hands. */
public sealed interface CpuReservation {

  /** The reserved CPUs. */
  CpuSet cpus();

  /** The kubelet's reservedSystemCPUs. */
  record Explicit(CpuSet cpus) implements CpuReservation {}

  /**
   * kubeReserved.cpu + systemReserved.cpu, rounded up; the kubelet chooses the CPUs.
   *
   * @param cpus what it chooses (admission.ReservedCpus)
   */
  record Counted(int count, CpuSet cpus) implements CpuReservation {}

  /** No reservation: the static CPU manager refuses to start. */
  record None() implements CpuReservation {
    @Override
    public CpuSet cpus() {
      return CpuSet.EMPTY;
    }
  }
}
