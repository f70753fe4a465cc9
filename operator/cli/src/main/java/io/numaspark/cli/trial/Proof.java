package io.numaspark.cli.trial;

import io.numaspark.cli.trial.ExecutorWatch.Seen;
import io.numaspark.planner.topology.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a run was what its arm says, by what the kernel said of its executors. Pure.
 *
 * <p>Limit: pages are checked only where memory is bound; a bind that numactl set is seen by where
 * the pages are.
 */
final class Proof {
  /** Of the pages of an executor whose memory is bound: shared libraries may lie elsewhere. */
  static final double LEAST_SHARE_OF_PAGES = 0.8;

  private Proof() {}

  /**
   * What is wrong, a sentence each; empty if nothing is.
   *
   * @param seen by executor id
   * @param allowed CPUs that the trial itself may use
   */
  static List<String> faults(
      LocalArm arm, Map<Integer, Seen> seen, CpuSet allowed, CoreShares machine) {
    List<CoreShare> shares =
        arm.binding().setsCpus() ? machine.of(arm.executors()).orElseThrow() : List.of();
    List<String> faults = new ArrayList<>();
    if (seen.size() != arm.executors()) {
      faults.add("Executors seen: %d instead of %d.".formatted(seen.size(), arm.executors()));
    }
    seen.forEach(
        (executor, found) -> {
          CpuSet expected =
              arm.binding().setsCpus() ? shares.get(executor % arm.executors()).cpus() : allowed;
          if (!CpuSet.parse(found.allowed().cpus()).equals(expected)) {
            faults.add(
                "Executor %d might use CPUs %s instead of %s."
                    .formatted(executor, found.allowed().cpus(), expected));
          }
          if (arm.binding().setsMemory()) {
            memory(arm.binding(), shares.get(executor % arm.executors()), executor, found, machine)
                .ifPresent(faults::add);
          }
        });
    return faults;
  }

  private static Optional<String> memory(
      Binding binding, CoreShare share, int executor, Seen found, CoreShares machine) {
    int node =
        binding == Binding.REMOTE_MEMORY ? machine.opposite(share.numaNode()) : share.numaNode();
    long all = found.pages().values().stream().mapToLong(Long::longValue).sum();
    if (all == 0) {
      return Optional.of("The pages of executor %d could not be read.".formatted(executor));
    }
    double onNode = found.pages().getOrDefault(node, 0L) / (double) all;
    return onNode >= LEAST_SHARE_OF_PAGES
        ? Optional.empty()
        : Optional.of(
            "Executor %d had %.0f %% of its pages on NUMA node %d instead of %.0f %% or more."
                .formatted(executor, onNode * 100, node, LEAST_SHARE_OF_PAGES * 100));
  }
}
