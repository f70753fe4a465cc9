package io.numaspark.controller.status;

import io.numaspark.controller.observe.ReportedExecutors.Placement;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.planner.topology.Machine;
import io.numaspark.planner.topology.MemoryManagerPolicy;
import io.numaspark.planner.topology.NumaNode;
import java.util.Collection;
import java.util.Optional;

/**
 * Decides from an executor's own kernel status whether it is pinned: exclusive whole cores inside
 * one NUMA node, and memory from that node only.
 *
 * <p>Limit: that no other pod may use the CPUs is concluded from their number and from the other
 * executors' CPUs; what other pods got is known to the kubelet alone.
 */
public final class PinningJudge {
  private PinningJudge() {}

  /**
   * A verdict.
   *
   * @param pinned True, False or Unknown
   * @param reason CamelCase
   * @param message what was found and what to do; empty when pinned
   * @param numaNode the NUMA node that holds all CPUs, if there is one
   */
  public record Verdict(String pinned, String reason, String message, Optional<Integer> numaNode) {
    /** Nothing is known, for the given reason. */
    static Verdict unknown(String reason, String message) {
      return new Verdict(Conditions.UNKNOWN, reason, message, Optional.empty());
    }
  }

  /**
   * Judges one executor.
   *
   * @param placement what it reported
   * @param expectedCpus CPUs that its pod requested
   * @param machine its node
   * @param others CPUs of the other running executors on its node
   */
  static Verdict judge(
      Placement placement, int expectedCpus, Machine machine, Collection<CpuSet> others) {
    if (placement.cpus() == null) {
      return Verdict.unknown(
          "NotReported",
          "the executor registered without its CPUs; does the image start through /opt/entrypoint.sh?");
    }
    CpuSet cpus = CpuSet.parse(placement.cpus());
    Optional<NumaNode> home =
        machine.topology().numaNodes().stream()
            .filter(node -> node.cpus().containsAll(cpus))
            .findFirst();
    Optional<Integer> numaNode = home.map(NumaNode::id);
    if (cpus.size() != expectedCpus) {
      return new Verdict(
          Conditions.FALSE,
          "SharedCpus",
          "it may run on %d CPUs (%s) instead of %d of its own: the kubelet keeps it in the shared pool; check that every"
                  .formatted(cpus.size(), cpus, expectedCpus)
              + " container of the pod has equal requests and limits and that the kubelet's cpuManagerPolicy is static",
          numaNode);
    }
    if (home.isEmpty()) {
      return new Verdict(
          Conditions.FALSE,
          "SpansNumaNodes",
          "its CPUs "
              + cpus
              + " are on several NUMA nodes; set topologyManagerPolicy: single-numa-node on the kubelet",
          Optional.empty());
    }
    if (others.stream().anyMatch(cpus::intersects)) {
      return new Verdict(
          Conditions.FALSE,
          "CpusNotExclusive",
          "another executor may run on some of its CPUs "
              + cpus
              + "; compare the kubelet's cpu_manager_state",
          numaNode);
    }
    if (!hasWholeCores(cpus, home.get())) {
      return new Verdict(
          Conditions.FALSE,
          "PartialCores",
          "its CPUs "
              + cpus
              + " are not whole cores; set the kubelet's CPU manager option full-pcpus-only",
          numaNode);
    }
    return judgeMemory(placement, home.get(), machine);
  }

  private static boolean hasWholeCores(CpuSet cpus, NumaNode home) {
    return home.cores().stream()
        .allMatch(core -> cpus.containsAll(core.threads()) || !cpus.intersects(core.threads()));
  }

  private static Verdict judgeMemory(Placement placement, NumaNode home, Machine machine) {
    Optional<Integer> numaNode = Optional.of(home.id());
    String memoryNodes = String.valueOf(placement.memoryNodes());
    if (memoryNodes.equals(String.valueOf(home.id()))) {
      return new Verdict(Conditions.TRUE, "Pinned", "", numaNode);
    }
    boolean single = machine.topology().numaNodes().size() == 1;
    if (single) {
      return new Verdict(Conditions.TRUE, "Pinned", "", numaNode);
    }
    String remedy =
        machine.kubelet().memoryManagerPolicy() == MemoryManagerPolicy.STATIC
            ? "; compare the kubelet's memory_manager_state"
            : "; set memoryManagerPolicy: Static on the kubelet";
    return new Verdict(
        Conditions.FALSE,
        "MemorySpansNumaNodes",
        "its CPUs are on NUMA node "
            + home.id()
            + " but it may take memory from "
            + memoryNodes
            + remedy,
        numaNode);
  }
}
