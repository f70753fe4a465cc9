package io.numaspark.planner.plan;

import io.numaspark.planner.topology.CpuSet;
import java.util.List;

/**
 * The slots of one NUMA node.
 *
 * @param slots in the order in which the kubelet fills them
 * @param strandedCpus CPUs that are neither reserved nor in a slot
 * @param strandedMemoryBytes allocatable memory that no slot takes
 * @param limitedBy why there is no further slot, as a sentence
 */
public record NumaLayout(
    int numaNode,
    List<Slot> slots,
    CpuSet reservedCpus,
    CpuSet strandedCpus,
    long strandedMemoryBytes,
    String limitedBy) {
  public NumaLayout {
    slots = List.copyOf(slots);
  }
}
