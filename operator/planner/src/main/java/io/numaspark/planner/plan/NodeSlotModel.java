package io.numaspark.planner.plan;

import io.numaspark.planner.admission.Admission;
import io.numaspark.planner.admission.KubeletSimulation;
import io.numaspark.planner.admission.PodRequest;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.KubeletSettings;
import io.numaspark.planner.topology.Machine;
import java.util.ArrayList;
import java.util.List;

/**
 * Who gives out CPUs, as the planner knows it: our own layout where the container runtime pins;
 * else the kubelet, in closed form, or by the full admission where an option of the CPU manager
 * changes which CPUs a pod gets.
 *
 * <p>Limit: for a kubelet that would not start the closed form answers; no plan asks, because each
 * {@link io.numaspark.planner.admission.StartProblem} is a finding of severity ERROR.
 */
final class NodeSlotModel implements SlotModel {
  /** Options that change the order in which CPUs of one NUMA node are taken. */
  private static final List<String> REORDERING =
      List.of(
          KubeletSettings.PREFER_ALIGN_CPUS_BY_UNCORECACHE,
          KubeletSettings.DISTRIBUTE_CPUS_ACROSS_CORES);

  private final SlotModel closedForm = new NumaFill();
  private final SlotModel runtimeLayout = new RuntimeLayout();

  @Override
  public List<Slot> slots(Machine machine, int cpus, long podBytes) {
    if (machine.isPinnedByRuntime()) {
      return runtimeLayout.slots(machine, cpus, podBytes);
    }
    return REORDERING.stream().anyMatch(machine.kubelet()::hasOption)
            && KubeletSimulation.start(machine) instanceof KubeletSimulation.Start.Started started
        ? simulated(started.kubelet(), cpus, podBytes)
        : closedForm.slots(machine, cpus, podBytes);
  }

  private static List<Slot> simulated(KubeletSimulation kubelet, int cpus, long podBytes) {
    List<Slot> slots = new ArrayList<>();
    // A pod without memory is not Guaranteed and gets no exclusive CPUs.
    long bytes = Math.max(1, podBytes);
    while (kubelet.admit(PodRequest.guaranteed("executor-" + slots.size(), cpus, bytes))
        instanceof Admission.Admitted admitted) {
      slots.add(
          new Slot(admitted.numaNodes().get(0), CpuSet.unionOf(admitted.containers().values())));
    }
    return slots;
  }
}
