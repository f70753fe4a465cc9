package io.numaspark.planner.plan;

import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.topology.CpuSet;

/**
 * Another choice of reserved CPUs, and what it does with the same executor shape.
 *
 * @param nodeClass name of the node class
 * @param before the CPUs that are reserved now
 * @param after whole cores to reserve instead
 * @param slotsBefore executors of one node now
 * @param slotsAfter executors of one node then
 * @param straddlingBefore executors of one node that straddle last-level caches now
 * @param straddlingAfter executors of one node that straddle last-level caches then
 */
public record ReservationAdvice(
    String nodeClass,
    CpuSet before,
    CpuSet after,
    int slotsBefore,
    int slotsAfter,
    int straddlingBefore,
    int straddlingAfter) {

  /** What it does, as a sentence with the numbers. */
  public String text() {
    String change = "with %s reserved instead of %s, ".formatted(after, before);
    if (slotsAfter > slotsBefore) {
      return change
          + "a node holds %d %s instead of %d"
              .formatted(slotsAfter, slotsAfter == 1 ? "executor" : "executors", slotsBefore);
    }
    if (straddlingAfter < straddlingBefore) {
      return change
          + "%d instead of %d of the %d executors of a node straddle last-level caches"
              .formatted(straddlingAfter, straddlingBefore, slotsAfter);
    }
    return change
        + "the system has %d CPUs of a node instead of %d, and no executor is lost"
            .formatted(after.size(), before.size());
  }

  Finding finding() {
    return new Finding(
        Severity.INFO,
        Reason.BETTER_RESERVATION,
        text(),
        "set reservedSystemCPUs: \"%s\" in the kubelet configuration, drain the node, delete"
                .formatted(after)
            + " /var/lib/kubelet/cpu_manager_state and restart the kubelet");
  }

  boolean isGain() {
    return slotsAfter > slotsBefore || straddlingAfter < straddlingBefore;
  }
}
