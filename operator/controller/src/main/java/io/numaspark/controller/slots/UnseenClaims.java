package io.numaspark.controller.slots;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.capacity.Occupant;
import io.numaspark.planner.topology.Core;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What containers hold that the operator has no right to see, and only knows from a node's agent.
 *
 * <p>Limit: how much memory they hold is not known to the agent.
 */
public final class UnseenClaims {
  private UnseenClaims() {}

  /**
   * The claims, one for each NUMA node in which the kubelet has given out CPUs.
   *
   * <p>A core that is held in part counts as a whole one: no executor can get the rest.
   *
   * @param isSeen whether the operator sees the pod of a container, and so counts it already
   */
  public static List<Occupant> of(
      List<ExclusiveContainer> exclusive, Predicate<ExclusiveContainer> isSeen, Machine machine) {
    CpuSet held =
        CpuSet.unionOf(
            exclusive.stream()
                .filter(container -> container.cpus() != null && !isSeen.test(container))
                .map(container -> parse(container.cpus(), machine))
                .toList());
    List<Occupant> claims = new ArrayList<>();
    for (NumaNode numaNode : machine.topology().numaNodes()) {
      int cpus =
          numaNode.cores().stream()
              .map(Core::threads)
              .filter(held::intersects)
              .mapToInt(threads -> threads.minus(machine.reservedCpus()).size())
              .sum();
      if (cpus > 0) {
        claims.add(new Occupant("unseen containers of NUMA node " + numaNode.id(), cpus, 0, 0));
      }
    }
    return claims;
  }

  /** A list that cannot be read may be any CPUs. */
  private static CpuSet parse(String list, Machine machine) {
    try {
      return CpuSet.parse(list);
    } catch (IllegalArgumentException e) {
      return machine.topology().cpus();
    }
  }
}
