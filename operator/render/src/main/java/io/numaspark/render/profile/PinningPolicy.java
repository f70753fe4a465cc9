package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.PinningSpec.By;
import io.numaspark.api.v1alpha1.PinningSpec.Mode;
import io.numaspark.planner.plan.Finding.Severity;
import io.numaspark.planner.plan.Findings;
import io.numaspark.planner.plan.RuntimePinning;
import io.numaspark.planner.topology.CpuManagerPolicy;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;

/**
 * Which of a profile's nodes the kubelet pins, and which the container runtime.
 *
 * <p>Limit: whether the runtime of a node can pin is known only when its pinner has connected;
 * until then the node has no free slots.
 */
public record PinningPolicy(By by, Mode mode, RuntimePinning runtime) {

  /**
   * The machine as executors find it there.
   *
   * @param pinners whether agents have a pinner; without one Auto means Kubelet
   */
  public Machine applyTo(Machine machine, boolean pinners) {
    boolean byRuntime =
        switch (by) {
          case Kubelet -> false;
          case Runtime -> true;
          case Auto -> pinners && !pinsItself(machine) && !isManaged(machine);
        };
    Machine pinned = byRuntime ? runtime.pin(machine) : machine;
    return mode == Mode.Enforce ? pinned : pinned.observed();
  }

  private static boolean pinsItself(Machine machine) {
    return Findings.of(machine).stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
  }

  /** A kubelet that sets cpusets, but not as executors need it, has to be put right. */
  private static boolean isManaged(Machine machine) {
    return machine.kubelet().cpuManagerPolicy() == CpuManagerPolicy.STATIC
        || machine.kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC;
  }
}
