package io.numaspark.planner.plan;

import io.numaspark.planner.topology.Machine;
import java.util.List;

/** What a kubelet does with executors of one shape that come to an empty node one by one. */
@FunctionalInterface
interface SlotModel {

  /**
   * The executors that are admitted, in their order.
   *
   * @param cpus CPUs that each pod requests, a multiple of the threads of a core
   * @param podBytes memory that each pod requests; 0 leaves memory out
   */
  List<Slot> slots(Machine machine, int cpus, long podBytes);
}
